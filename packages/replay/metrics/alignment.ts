/** Where the messages of a projected request come from in the history that it was made of. */
import { type HostMessage, isSentAs, OUR_MESSAGES } from "#pi";
import { isOmitted, isShortened, isShortenedCall } from "../policies/shortened-output.ts";
import { fadedLength, isFaded } from "./faded-part.ts";
import { isSameMessage } from "./prefix.ts";

export interface Alignment {
	/** For each message of the history what is left of it, under its own call ids, or undefined when it is gone. */
	readonly kept: readonly (HostMessage | undefined)[];
	/** Messages that are no part of the history, in its order, and no marker of ours. */
	readonly strangers: readonly HostMessage[];
	/** Lines of ours that stand for what left, those at the end of a tool's result as messages of their own. */
	readonly markers: readonly HostMessage[];
}

/** Align a request with its history: each message of it must be the next one of the history, or a part of that. */
export function alignRequest(history: readonly HostMessage[], messages: readonly HostMessage[]): Alignment {
	const kept: (HostMessage | undefined)[] = history.map(() => undefined);
	const strangers: HostMessage[] = [];
	const markers: HostMessage[] = [];
	let next = 0;
	for (const message of messages) {
		const found = findFrom(history, next, message);
		if (found >= 0) {
			const { bare, marker } = splitMarker(message, history[found]);
			kept[found] = withOwnIds(bare, history[found]);
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

/**
 * Returns true if a message is the other one, whole or with blocks left out; calls may be sent under other ids.
 */
export function isPartOf(part: HostMessage, whole: HostMessage): boolean {
	if (part === whole) return true;
	if (part.role !== whole.role || part.timestamp !== whole.timestamp) return false;
	if (part.role === "assistant" && whole.role === "assistant") return isSublist(part.content, whole.content);
	if (part.role === "toolResult" && whole.role === "toolResult") {
		if (isOmitted(part) || isShortened(part)) return part.toolCallId === whole.toolCallId;
		const { toolCallId } = whole;
		if (!isSentAs(part.toolCallId, toolCallId)) return false;
		return (
			isSameMessage({ ...withoutMarker(part, whole), toolCallId }, whole) ||
			fadedLength(part, whole) !== undefined
		);
	}
	return isSameMessage(part, whole);
}

type Result = HostMessage & { readonly role: "toolResult" };

/** A result without the texts that it has beyond those of the history: lines of ours stand there. */
function withoutMarker(sent: Result, whole: Result): Result {
	const length = isFaded(sent, whole) ? (fadedLength(sent, whole) ?? 0) : whole.content.length;
	const more = sent.content.slice(length);
	const isMarked = more.length > 0 && more.every(({ type }) => type === "text");
	return isMarked ? { ...sent, content: sent.content.slice(0, length) } : sent;
}

function splitMarker(
	sent: HostMessage,
	whole: HostMessage | undefined,
): { bare: HostMessage; marker?: HostMessage } {
	if (sent.role !== "toolResult" || whole?.role !== "toolResult") return { bare: sent };
	const bare = withoutMarker(sent, whole);
	if (bare === sent) return { bare };
	const { timestamp } = sent;
	const content = sent.content.slice(bare.content.length);
	const marker: HostMessage = { role: "custom", customType: MARKER, content, display: false, timestamp };
	return { bare: isSameMessage(bare, whole) ? whole : bare, marker };
}

/** The remainder of a message with the call ids that its history has, however it was sent. */
function withOwnIds(left: HostMessage, whole: HostMessage | undefined): HostMessage {
	if (left === whole || left.role !== "assistant" || whole?.role !== "assistant") {
		if (left.role !== "toolResult" || whole?.role !== "toolResult") return left;
		const own = left.toolCallId === whole.toolCallId ? left : { ...left, toolCallId: whole.toolCallId };
		return isSameMessage(own, whole) ? whole : own;
	}
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
	if (block === undefined) return false;
	const isLeft = (candidate: Block) => isSameContent(candidate, block) && !isShortenedCall(candidate);
	return left.content.some(isLeft);
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
	if (a.type === "toolCall" && b.type === "toolCall" && (isShortenedCall(a) || isShortenedCall(b)))
		return isSentAs(a.id, b.id);
	if (a.type !== "toolCall" || b.type !== "toolCall") return JSON.stringify(a) === JSON.stringify(b);
	return isSentAs(a.id, b.id) && bare(a) === bare(b);
}

/** A call without what rendering may change of it: its id, and a signature that it carries for its step. */
function bare(call: Block & { readonly type: "toolCall" }): string {
	return JSON.stringify({ ...call, id: undefined, thoughtSignature: undefined });
}
