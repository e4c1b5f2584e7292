/** Where the messages of a projected request come from in the history that it was made of. */
import type { FadeAge } from "#core/log";
import { fadeContent, type HostMessage, isSentAs, OUR_MESSAGES } from "#pi/codec";
import { isOmitted } from "../policies/masking.ts";
import { isSameMessage } from "./prefix.ts";

export type Alignment = ReturnType<typeof alignRequest>;

/** Align a request with its history: each message of it must be the next one of the history, or a part of that. */
export function alignRequest(history: readonly HostMessage[], messages: readonly HostMessage[]) {
	/** For each message of the history what is left of it, under its own call ids, or undefined when it is gone. */
	const kept: (HostMessage | undefined)[] = history.map(() => undefined);
	/** Messages that are no part of the history, in its order, and no marker of this project. */
	const strangers: HostMessage[] = [];
	/** Lines that stand for what left, those at the end of a tool's result as messages of their own. */
	const markers: HostMessage[] = [];
	let next = 0;
	for (const message of messages) {
		const found = findFrom(history, next, message);
		const whole = history[found];
		if (whole) {
			const { bare, marker } = splitMarker(message, whole);
			kept[found] = withOwnIds(bare, whole);
			if (marker) markers.push(marker);
			next = found + 1;
		} else if (isMarker(message)) markers.push(message);
		else strangers.push(message);
	}
	return { kept, strangers, markers };
}

/**
 * A message that is passed on, whole or with blocks left out, may be a part of an earlier one of the same time as well:
 * an empty answer is, and what a filter redacted always reads the same. The very objects go before what is equal.
 */
function findFrom(history: readonly HostMessage[], start: number, message: HostMessage): number {
	for (const isFrom of [isVery, isPartOf]) {
		for (let i = start; i < history.length; i++) {
			const candidate = history[i];
			if (candidate && isFrom(message, candidate)) return i;
		}
	}
	return -1;
}

/** Returns true if a message is another one, or made of blocks of it that nobody copied. */
function isVery(part: HostMessage, whole: HostMessage): boolean {
	if (part === whole) return true;
	if (part.role !== "assistant" || whole.role !== "assistant" || part.content.length === 0) return false;
	return part.timestamp === whole.timestamp && part.content.every((block) => whole.content.includes(block));
}

const MARKER = `${OUR_MESSAGES}marker`;

export function isMarker(message: HostMessage): boolean {
	return message.role === "custom" && message.customType.startsWith(OUR_MESSAGES);
}

/** Returns true if a message is the other one, whole or with blocks left out; calls may be sent under other ids. */
export function isPartOf(part: HostMessage, whole: HostMessage): boolean {
	if (part === whole) return true;
	if (part.role !== whole.role || part.timestamp !== whole.timestamp) return false;
	if (part.role === "assistant" && whole.role === "assistant") return isSublist(part.content, whole.content);
	if (part.role === "toolResult" && whole.role === "toolResult") {
		if (isOmitted(part)) return part.toolCallId === whole.toolCallId;
		if (!isSentAs(part.toolCallId, whole.toolCallId)) return false;
		return ageOf(part, whole) > 0 || withOwnIds(splitMarker(part, whole).bare, whole) === whole;
	}
	return isSameMessage(part, whole);
}

type Result = HostMessage & { readonly role: "toolResult" };

/** A result without the texts that it has beyond those of the history, which are markers. */
function splitMarker(sent: HostMessage, whole: HostMessage): { bare: HostMessage; marker?: HostMessage } {
	if (sent.role !== "toolResult" || whole.role !== "toolResult") return { bare: sent };
	const { length } = formsOf(whole)[Math.max(0, ageOf(sent, whole))] ?? whole.content;
	const content = sent.content.slice(length);
	if (content.length === 0 || content.some(({ type }) => type !== "text")) return { bare: sent };
	const { timestamp } = sent;
	const marker: HostMessage = { role: "custom", customType: MARKER, content, display: false, timestamp };
	return { bare: { ...sent, content: sent.content.slice(0, length) }, marker };
}

/** The remainder of a message with the call ids that its history has, however it was sent. */
function withOwnIds(left: HostMessage, whole: HostMessage): HostMessage {
	if (left === whole) return left;
	if (left.role === "toolResult" && whole.role === "toolResult") {
		const own = left.toolCallId === whole.toolCallId ? left : { ...left, toolCallId: whole.toolCallId };
		return isSameMessage(own, whole) ? whole : own;
	}
	if (left.role !== "assistant" || whole.role !== "assistant") return left;
	let next = 0;
	const content = left.content.map((block) => {
		const found = whole.content.findIndex((own, i) => i >= next && isSameContent(block, own));
		next = found + 1;
		const own = whole.content[found];
		return block.type === "toolCall" && own?.type === "toolCall" && block.id !== own.id
			? { ...block, id: own.id }
			: block;
	});
	const isSame = content.every((block, index) => block === left.content[index]);
	return isSame ? left : { ...left, content };
}

/** Returns true if the remainder of a message holds the block that stood at this index of the whole. */
export function hasBlock(left: HostMessage, whole: HostMessage, index: number): boolean {
	if (left.role !== "assistant" || whole.role !== "assistant") return !isOmitted(left);
	const block = whole.content[index];
	return block !== undefined && left.content.some((candidate) => isSameContent(candidate, block));
}

/** OpenAI's call ids carry the id of their item after a bar; it is dropped together with the reasoning. */
export function baseId(callId: string): string {
	const bar = callId.indexOf("|");
	return bar < 0 ? callId : callId.slice(0, bar);
}

type Block = (HostMessage & { readonly role: "assistant" })["content"][number];

function isSublist(part: readonly Block[], whole: readonly Block[]): boolean {
	let next = 0;
	for (const block of part) {
		const found = whole.findIndex((candidate, i) => i >= next && isSameContent(block, candidate));
		if (found < 0) return false;
		next = found + 1;
	}
	return true;
}

function isSameContent(a: Block, b: Block): boolean {
	if (a === b) return true;
	if (a.type === "text" && b.type === "text") return a.text === b.text;
	if (a.type !== "toolCall" || b.type !== "toolCall") return JSON.stringify(a) === JSON.stringify(b);
	return isSentAs(a.id, b.id) && bare(a) === bare(b);
}

/** A call without what rendering may change of it: its id, and a signature that it carries for its step. */
function bare(call: Block & { readonly type: "toolCall" }): string {
	return JSON.stringify({ ...call, id: undefined, thoughtSignature: undefined });
}

type Content = Result["content"];

const ages: readonly FadeAge[] = [1, 2, 3, 4];
const knownForms = new WeakMap<Result, readonly Content[]>();

/** The forms of an output that a live policy sends: whole, then faded, from the youngest to the oldest. */
function formsOf(whole: Result): readonly Content[] {
	const forms = knownForms.get(whole) ?? [whole.content, ...ages.map((age) => fadeContent(whole, age))];
	knownForms.set(whole, forms);
	return forms;
}

/** The age that an output is sent at, 0 for the whole; -1 if it is no form of it. */
function ageOf(sent: HostMessage, whole: HostMessage): number {
	if (sent.role !== "toolResult" || whole.role !== "toolResult") return -1;
	return formsOf(whole).findIndex((content) => beginsWith(sent.content, content));
}

/** Returns true if what is left of an output is a faded form of it. */
export function isFaded(left: HostMessage, whole: HostMessage): boolean {
	return left !== whole && ageOf(left, whole) > 0;
}

/** Returns true if an output that was faded before shows less of the whole now. */
export function isFadedFurther(now: HostMessage, earlier: HostMessage, whole: HostMessage): boolean {
	const before = ageOf(earlier, whole);
	return before > 0 && ageOf(now, whole) > before;
}

function beginsWith(content: Content, start: Content): boolean {
	return start.every((block, index) => {
		const own = content[index];
		return own?.type === "text" && block.type === "text" ? own.text === block.text : own === block;
	});
}
