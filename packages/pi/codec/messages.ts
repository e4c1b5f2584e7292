/** From pi's messages to core's transcript. The only file that knows what pi's messages look like inside. */
import { type CountTokens, fnv1a, parseFields, textOf } from "#basics";
import { thinkingSize } from "#core/ledger";
import { findingsIn, type Item, type ItemId, type TranscriptMessage } from "#core/transcript";
import { digestArguments, digestOutput } from "./digest.ts";
import {
	type Answer,
	type Content,
	contentText,
	type HostMessage,
	hasFailed,
	isBlankText,
	isSigned,
	modelName,
	OUR_MESSAGES,
	ownOutput,
	toolCallsOf,
} from "./host-message.ts";
import { IMAGE_TOKENS, ITEM_FRAMING } from "./tokens.ts";

/**
 * The host's own identity of a message. Object identity does not survive (pi clones the list for every request), and
 * entry ids are not on the messages, so role, timestamp and call id have to do; equal ones are distinguished by their
 * order. Other extensions may change any text before we see it, so what a message says is no part of it.
 */
export function messageKey(message: HostMessage): string {
	// The timestamp of a custom message changes between sending and reloading it: what it says is its identity.
	if (message.role === "custom") {
		return `custom-${hashText(`${message.customType}\n${contentText(message.content)}`)}`;
	}
	const key = `${message.role}-${message.timestamp}`;
	// Tells messages of one millisecond apart, even after a compaction has removed the first of them.
	const callId = message.role === "toolResult" ? message.toolCallId : toolCallsOf(message)[0]?.id;
	return callId === undefined ? key : `${key}-${hashText(callId)}`;
}

/** Returns true for the id of an item that is the result of a call: it begins with the key of its message. */
export function isResultId(id: ItemId): boolean {
	return id.startsWith("toolResult-");
}

/** Gives each key a name of its own, by its order: the second of two equal ones is another. */
export function createNames(): (key: string) => string {
	const uses = new Map<string, number>();
	return (key) => {
		const use = (uses.get(key) ?? 0) + 1;
		uses.set(key, use);
		return use === 1 ? key : `${key}~${use}`;
	};
}

/**
 * Turn one pi message into a transcript message, counting each item once. `key` must be unique in the session; `cwd` is
 * the folder of the workspace, "" if unknown.
 */
export function readMessage(
	message: HostMessage,
	index: number,
	key: string,
	count: CountTokens,
	cwd = "",
): TranscriptMessage {
	const base = { id: key, message: index };
	const sized = (type: "user" | "note", tokens: number): TranscriptMessage => {
		return { author: type === "user" ? "user" : "host", items: [{ ...base, type, tokens }] };
	};
	switch (message.role) {
		case "assistant":
			// pi sends nothing of an answer that failed or that a person stopped.
			if (hasFailed(message)) return { author: "model", items: [] };
			return { author: "model", items: readModelBlocks(message, index, key, count, cwd) };
		case "toolResult": {
			const { toolCallId: callId, isError } = message;
			const tokens = contentTokens(message.content, count);
			const digest = once(() => digestOutput(contentText(ownOutput(message.content)), cwd));
			return { author: "tool", items: [{ ...base, type: "result", callId, isError, tokens, digest }] };
		}
		case "user":
			return sized("user", contentTokens(message.content, count));
		case "bashExecution": {
			if (message.excludeFromContext) return { author: "user", items: [] };
			return sized("user", count(`${message.command}\n${message.output}`) + 2 * ITEM_FRAMING);
		}
		case "custom": {
			const type = message.customType.startsWith(OUR_MESSAGES) ? "note" : "user";
			return sized(type, contentTokens(message.content, count));
		}
		case "branchSummary":
		case "compactionSummary":
			return { ...sized("note", count(message.summary) + 6 * ITEM_FRAMING), isSummary: true };
		default:
			// Roles that later hosts add are passed through untouched and uncounted.
			message satisfies never;
			return { author: "host", items: [] };
	}
}

/** Reads a message; `key` names it in its list. */
export type Reader = (message: HostMessage, index: number, key: string) => TranscriptMessage;

/** The texts of a message, in the order in which they are counted. */
export function countedTexts(message: HostMessage): readonly string[] {
	const texts: string[] = [];
	readMessage(message, 0, "", (text) => texts.push(text));
	return texts;
}

function readModelBlocks(
	{ api, provider, model, content }: Answer,
	message: number,
	key: string,
	count: CountTokens,
	cwd: string,
): readonly Item[] {
	const isClosing = content.every(({ type }) => type !== "toolCall");
	return content.map((block, index) => {
		const base = { id: `${key}.${index}`, message };
		switch (block.type) {
			case "toolCall": {
				const args = JSON.stringify(block.arguments) ?? "";
				const tokens = count(block.name) + count(args) + ITEM_FRAMING;
				return {
					...base,
					type: "call",
					callId: block.id,
					tool: block.name,
					arguments: block.arguments,
					digest: once(() => digestArguments(block.arguments, cwd)),
					tokens,
				};
			}
			case "thinking": {
				const { thinking, thinkingSignature = "", redacted = false } = block;
				const isSealed = isSigned(block);
				const size = thinkingSize(redacted ? 0 : count(thinking), sealOf(api, thinkingSignature));
				// pi leaves out thinking that is blank and not signed.
				const isLeftOut = !isSealed && isBlankText(thinking);
				return {
					...base,
					...size,
					...(isSealed && { sealedBy: modelName({ provider, model }) }),
					type: "reasoning",
					tokens: size.tokens + ITEM_FRAMING,
					...(isLeftOut && { isBlank: true }),
				};
			}
			case "text": {
				const findings = findingsIn(block.text, isClosing);
				return {
					...base,
					type: "text",
					tokens: count(block.text) + ITEM_FRAMING,
					...(isBlankText(block.text) && { isBlank: true }),
					...(findings !== "" && { findings }),
				};
			}
			default:
				// Blocks that later hosts add are passed through; they are items, so that those after them keep their places.
				block satisfies never;
				return { ...base, type: "text", tokens: count(JSON.stringify(block)) + ITEM_FRAMING };
		}
	});
}

/** APIs whose signatures of thinking are names, or hold nothing that is billed again. */
const UNSEALED_API = /^(openai|google|mistral)/;

/** The sealed part of a thinking block; undefined for none. A recorded answer may lack its API. */
function sealOf(api = "", signature: string) {
	if (api.endsWith("-responses")) {
		const { encrypted_content: content } = parseFields(signature);
		return { kind: "encrypted" as const, characters: textOf(content).length };
	}
	if (UNSEALED_API.test(api)) return undefined;
	return { kind: "signature" as const, characters: signature.length };
}

/** Tokens of a message's content on the wire, framing included. */
export function contentTokens(content: Content, count: CountTokens): number {
	if (typeof content === "string") return count(content) + ITEM_FRAMING;
	return content.reduce(
		(sum, block) => sum + (block.type === "image" ? IMAGE_TOKENS : count(block.text ?? "")),
		ITEM_FRAMING,
	);
}

/** Names a text inside one session, where equal names are distinguished by their order. */
function hashText(text: string): string {
	return fnv1a(text).toString(36);
}

/** Makes it when it is first asked for, and holds on to what it was made of until then only. */
function once<T>(make: () => T): () => T {
	let made: { readonly value: T } | { readonly make: () => T } = { make };
	return () => {
		if ("make" in made) made = { value: made.make() };
		return made.value;
	};
}
