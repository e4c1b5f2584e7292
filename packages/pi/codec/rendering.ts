/** From core's projection back to pi's messages. */

import { fnv1a } from "#basics";
import type { ProjectedPart } from "#core/projection";
import { type Answer, type HostMessage, isSystemMessage, OUR_MESSAGES } from "./host-message.ts";
import { contentInForm, cutMessage } from "./partial-messages.ts";

type Block = Answer["content"][number];

/** The messages that a projection sends. Messages that nothing was taken from are passed on as they are. */
export function renderProjection(
	parts: readonly ProjectedPart[],
	messages: readonly HostMessage[],
): HostMessage[] {
	const renamed = new Map<string, string>();
	const ids = createCallIds();
	const rendered: HostMessage[] = [];
	// Only calls of messages that something was taken from get other ids. Without any, nothing of a message needs to be looked at:
	// pi's fresh copies are in cold memory, and a request may send tens of thousands.
	const hasParts = parts.some(({ type }) => type === "part");
	for (const part of parts) {
		const message = messages[part.message];
		if (!message) continue;
		if (part.type === "whole" && !hasParts) rendered.push(message);
		else if (part.type === "marker") addMarker(rendered, part.text, message.timestamp);
		else if (part.type === "cut") rendered.push(cutMessage(message, part.release));
		else if (message.role === "toolResult") {
			const content = part.type === "reduced" ? contentInForm(message, part.form) : message.content;
			const toolCallId = renamed.get(message.toolCallId) ?? message.toolCallId;
			const isSame = content === message.content && toolCallId === message.toolCallId;
			rendered.push(isSame ? message : { ...message, content, toolCallId });
		} else if (message.role === "assistant") {
			const left = part.type === "part" ? renderPart(message, part.blocks) : message;
			rendered.push(renameCalls(left, message, { ids, renamed }));
		} else rendered.push(message);
	}
	return rendered;
}

/**
 * Lines that stand for what left. In a tool loop they are a text of its last result, or stand before the loop where it has
 * none: a message of their own would end it, and a provider that reasons wants the answer after it to begin with reasoning.
 */
function addMarker(rendered: HostMessage[], text: string, timestamp: number) {
	const at = rendered.findLastIndex((message) => !isPassedOver(message));
	const last = rendered[at];
	if (last?.role === "toolResult") {
		rendered[at] = { ...last, content: [...last.content, { type: "text", text }] };
		return;
	}
	const customType = `${OUR_MESSAGES}marker`;
	rendered.splice(at + 1, 0, { role: "custom", customType, content: text, display: false, timestamp });
}

/** Returns true if a tool loop continues after a message: the answer does not end it, or nothing of the message is sent. */
function isPassedOver(message: HostMessage): boolean {
	// pi sends a system message inside the conversation only in front of the next answer.
	if (isSystemMessage(message)) return true;
	if (message.role === "bashExecution") return message.excludeFromContext === true;
	if (message.role !== "assistant") return false;
	return message.stopReason !== "stop" || message.content.length === 0;
}

/**
 * Keep some blocks of a model message. OpenAI pairs calls and texts with the reasoning item of their response through
 * `fc_` and `msg_` ids and refuses the one without the other, so those ids go with the reasoning.
 */
function renderPart(message: Answer, kept: readonly number[]): Answer {
	const blocks = passSignature(message, kept);
	if (!hasLostThought(message, blocks)) return { ...message, content: [...blocks] };
	const firstText = blocks.findIndex(({ type }) => type === "text");
	const content = blocks.map((block, index) => {
		if (block.type !== "text") return block;
		const { textSignature: _, ...text } = block;
		// pi makes one id for all texts of a message that have none, and OpenAI refuses an id that comes twice.
		return index === firstText ? text : { ...text, textSignature: `msg_${message.timestamp}_${index}` };
	});
	return { ...message, content };
}

function hasLostThought({ content }: Answer, left: readonly Block[]): boolean {
	return content.some((block) => block.type === "thinking" && !left.includes(block));
}

/** The message with the ids under which its calls are sent; results of calls that were `renamed` follow them. */
function renameCalls(
	left: Answer,
	message: Answer,
	{ ids, renamed }: { readonly ids: CallIds; readonly renamed: Map<string, string> },
): Answer {
	const isStripped = left !== message && hasLostThought(message, left.content);
	// Two calls of one message with one id keep one id, since their results cannot be distinguished.
	const own = new Map<string, string>();
	let content: Block[] | undefined;
	for (const [index, block] of left.content.entries()) {
		if (block.type !== "toolCall") continue;
		const strips = isStripped && block.id.includes("|");
		const id = own.get(block.id) ?? (strips ? ids.strip(block.id) : ids.keep(block.id));
		own.set(block.id, id);
		// From here on results answer the calls of this message, also where it uses an id again.
		if (id === block.id) {
			if (renamed.size > 0) renamed.delete(id);
			continue;
		}
		renamed.set(block.id, id);
		content ??= [...left.content];
		content[index] = { ...block, id };
	}
	return content ? { ...left, content } : left;
}

/**
 * The blocks that are kept. Gemini signs the first call of a step only, for the step as a whole, and refuses steps of
 * the turn in progress that are not signed (ai.google.dev/gemini-api/docs/thought-signatures): when the signed call
 * leaves, the next one of its step carries the signature.
 */
function passSignature({ content }: Answer, kept: readonly number[]): readonly Block[] {
	const first = content.findIndex(({ type }) => type === "toolCall");
	const heir = kept.find((index) => content[index]?.type === "toolCall");
	const signed = content[first];
	const next = content[heir ?? -1];
	const signature = signed?.type === "toolCall" ? signed.thoughtSignature : undefined;
	const blocks = kept.map((index) => content[index]).filter((block) => block !== undefined);
	if (signature === undefined || kept.includes(first) || next?.type !== "toolCall") return blocks;
	if (next.thoughtSignature !== undefined) return blocks;
	return blocks.map((block) => (block === next ? { ...next, thoughtSignature: signature } : block));
}

/** Providers take ids of up to 64 characters; what tells two apart has up to 8. */
const MAX_LENGTH = 64;
const MAX_BASE = MAX_LENGTH - 8;

type CallIds = ReturnType<typeof createCallIds>;

/** The ids that a request uses so far, in the order of its calls. */
function createCallIds() {
	/** The ids as the wire has them; true for those of calls that lost their item ids. */
	const used = new Map<string, boolean>();
	return {
		/** The id of a call that loses its item id. Depends on the calls before it only. */
		strip(id: string): string {
			const base = bareId(id);
			const free = used.has(wireId(base)) ? distinctId(id) : base;
			used.set(wireId(free), true);
			return free;
		},
		/** The id of a call that keeps it; another one only if an id that was stripped has become the same. */
		keep(id: string): string {
			const isTaken = used.get(wireId(id)) === true;
			if (!isTaken) used.set(wireId(id), false);
			return isTaken ? distinctId(id) : id;
		},
	};
}

/** Returns true if a request may have sent the call of this id under that one. */
export function isSentAs(sent: string, id: string): boolean {
	return sent === id || sent === bareId(id) || sent === distinctId(id);
}

function bareId(id: string): string {
	const bar = id.indexOf("|");
	return bar < 0 ? id : id.slice(0, bar);
}

function distinctId(id: string): string {
	return `${bareId(id).slice(0, MAX_BASE)}_${fnv1a(id).toString(36)}`;
}

/** An id in the letters and the length that pi gives it for a provider of another API. */
function wireId(id: string): string {
	return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_LENGTH);
}
