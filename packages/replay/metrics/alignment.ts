/** Where the messages of a projected request come from in the history that it was made of. */
import type { Form } from "#core/log";
import {
	type Answer,
	contentInForm,
	type HostMessage,
	isAnswer,
	isSentAs,
	OUR_MESSAGES,
	type ToolResult,
} from "#pi/codec";
import { isSameMessage } from "./prefix.ts";

export type Alignment = ReturnType<typeof alignRequest>;

/** Align a request with its history: each message of it must be the next one of the history, or a part of that. */
export function alignRequest(history: readonly HostMessage[], messages: readonly HostMessage[]) {
	/** For each message of the history what is left of it, made of its own blocks, or undefined when it is gone. */
	const kept: (HostMessage | undefined)[] = history.map(() => undefined);
	/** Messages that are no part of the history, in its order, and no marker of this project. */
	const strangers: HostMessage[] = [];
	/** Lines that stand for what left, those at the end of a tool's result as messages of their own. */
	const markers: HostMessage[] = [];
	let next = 0;
	for (const message of messages) {
		const found = findFrom(history, next, message);
		if (found) {
			kept[found.index] = found.left;
			if (found.marker) markers.push(found.marker);
			next = found.index + 1;
		} else if (isMarker(message)) markers.push(message);
		else strangers.push(message);
	}
	return { kept, strangers, markers };
}

/** The part of a history message that a request still sends, and the marker lines that cwl added at its end. */
interface Match {
	readonly left: HostMessage;
	readonly marker?: HostMessage;
}

/**
 * A message that is passed on, whole or with blocks left out, may be a part of an earlier one of the same time as well:
 * an empty answer is, and what a filter redacted always reads the same. The very objects go before what is equal.
 */
function findFrom(history: readonly HostMessage[], start: number, message: HostMessage) {
	for (const match of [matchObjects, matchContent]) {
		for (let index = start; index < history.length; index++) {
			const whole = history[index];
			const found = whole && match(message, whole);
			if (found) return { index, ...found };
		}
	}
	return undefined;
}

/** A message itself, or made of blocks of it that nobody copied. */
function matchObjects(sent: HostMessage, whole: HostMessage): Match | undefined {
	if (sent === whole) return { left: whole };
	if (!isAnswer(sent) || !isAnswer(whole) || sent.content.length === 0) return undefined;
	const isSame =
		sent.timestamp === whole.timestamp && sent.content.every((each) => whole.content.includes(each));
	return isSame ? matchContent(sent, whole) : undefined;
}

/** A message whole, or with blocks left out; calls may be sent under other ids, and outputs reduced. */
export function matchContent(sent: HostMessage, whole: HostMessage): Match | undefined {
	if (sent.role !== whole.role || sent.timestamp !== whole.timestamp) return undefined;
	if (sent.role === "toolResult" && whole.role === "toolResult") return matchResult(sent, whole);
	if (!isAnswer(sent) || !isAnswer(whole)) return isSameMessage(sent, whole) ? { left: whole } : undefined;
	const content: Block[] = [];
	let next = 0;
	for (const block of sent.content) {
		const found = whole.content.findIndex((own, i) => i >= next && isSameContent(block, own));
		if (found < 0) return undefined;
		content.push(...whole.content.slice(found, found + 1));
		next = found + 1;
	}
	return { left: content.length === whole.content.length ? whole : { ...whole, content } };
}

type Block = Answer["content"][number];

function isSameContent(a: Block, b: Block): boolean {
	if (a === b) return true;
	if (a.type === "text" && b.type === "text") return a.text === b.text;
	if (a.type !== "toolCall" || b.type !== "toolCall") return JSON.stringify(a) === JSON.stringify(b);
	// Rendering may change the id of a call, and a signature that it carries for its step.
	const textOf = (call: typeof a) => JSON.stringify({ ...call, id: undefined, thoughtSignature: undefined });
	return isSentAs(a.id, b.id) && textOf(a) === textOf(b);
}

type Content = ToolResult["content"];

/** Matches an output in one of its forms; texts after it are marker lines that cwl added. */
function matchResult(sent: ToolResult, whole: ToolResult): Match | undefined {
	if (!isSentAs(sent.toolCallId, whole.toolCallId)) return undefined;
	const age = formsOf(whole).findIndex((form) => beginsWith(sent.content, form));
	const content = formsOf(whole)[age];
	if (!content) return undefined;
	const left = age === 0 ? whole : { ...whole, content };
	const added = sent.content.slice(content.length);
	const isWhole = isSameMessage({ ...sent, toolCallId: whole.toolCallId, content }, left);
	if (!isWhole || added.some(({ type }) => type !== "text")) return undefined;
	if (age > 0) ages.set(left, age);
	if (added.length === 0) return { left };
	const customType = `${OUR_MESSAGES}marker`;
	const { timestamp } = sent;
	return { left, marker: { role: "custom", customType, content: added, display: false, timestamp } };
}

const knownForms = new WeakMap<ToolResult, readonly Content[]>();

/** The forms of an output that a live policy sends: whole, then reduced, from the youngest to the oldest. */
function formsOf(whole: ToolResult): readonly Content[] {
	const reduced: readonly Form[] = [1, 2, 3, 4];
	const forms = knownForms.get(whole) ?? [whole.content, ...reduced.map((age) => contentInForm(whole, age))];
	knownForms.set(whole, forms);
	return forms;
}

function beginsWith(content: Content, start: Content): boolean {
	return start.every((block, index) => {
		const own = content[index];
		if (own === block) return true;
		if (own?.type !== block.type) return false;
		return block.type === "text" && own.type === "text"
			? own.text === block.text
			: JSON.stringify(own) === JSON.stringify(block);
	});
}

const ages = new WeakMap<HostMessage, number>();

/** How far what is left of an output is reduced; 0 for a whole one, and for any other message. */
export function ageOf(left: HostMessage): number {
	return ages.get(left) ?? 0;
}

export function isMarker(message: HostMessage): boolean {
	return message.role === "custom" && message.customType.startsWith(OUR_MESSAGES);
}

/** OpenAI's call ids carry the id of their item after a bar; it is dropped together with the reasoning. */
export function baseId(callId: string): string {
	const bar = callId.indexOf("|");
	return bar < 0 ? callId : callId.slice(0, bar);
}
