/** The common form of all hosts' messages: what an adapter reads from a message, and helpers to read it. */
import { type Digest, type Item, isRecord, type UnknownRecord } from "#core";

type WithoutIdentity<T> = T extends unknown ? Omit<T, "id" | "message"> : never;

/** An item without its identity, which follows from the messages before it. */
export type ItemDraft = WithoutIdentity<Item>;

/** A neutral message: a unit of the model has an item for each block, every other one has one item or none. */
export interface Unit {
	readonly author: "user" | "host" | "model" | "tool";
	readonly items: readonly { readonly draft: ItemDraft; readonly part: number }[];
}

/** A host's message. Its parts have numbers, which the adapter gives. */
export interface Reading {
	/** Names the message in its session: nothing in it may change when the host hands the message over again. */
	readonly identity: string;
	readonly units: readonly Unit[];
	/** True if its items belong to the model message that the host's message before it is part of. */
	readonly continues?: boolean;
}

/** Counts tokens and looks into texts. */
export interface TextReader {
	readonly countTokens: (text: string) => number;
	/** Facts on the arguments of calls and on outputs; with them the policy knows what is out of date. */
	readonly digestCall?: (args: UnknownRecord) => Digest;
	readonly digestOutput?: (text: string) => Digest;
}

/** Tokens that the wire adds around each item: role, separators, block types. */
export const FRAMING = 4;
/** Tokens of an image: the middle of what providers charge for a screenshot. */
const IMAGE_TOKENS = 1_200;

/** The reading of a message that is passed on as it is. */
export function opaque(message: unknown): Reading {
	return { identity: JSON.stringify(message) ?? "", units: [{ author: "host", items: [] }] };
}

export function userReading(content: unknown, reader: TextReader): Reading {
	const draft: ItemDraft = { type: "user", tokens: contentTokens(content, reader) };
	const identity = JSON.stringify(["user", textsOf(content)]);
	return { identity, units: [{ author: "user", items: [{ draft, part: 0 }] }] };
}

export function callDraft(callId: string, tool: string, args: UnknownRecord, reader: TextReader): ItemDraft {
	const { countTokens, digestCall } = reader;
	const tokens = countTokens(tool) + countTokens(JSON.stringify(args)) + FRAMING;
	const digest = digestCall && { digest: digestCall(args) };
	return { type: "call", callId, tool, arguments: args, tokens, ...digest };
}

export function resultDraft(
	callId: string,
	output: unknown,
	isError: boolean,
	reader: TextReader,
): ItemDraft {
	const tokens = contentTokens(output, reader);
	const digest = reader.digestOutput && { digest: reader.digestOutput(textsOf(output).join("\n")) };
	return { type: "result", callId, isError, tokens, ...digest };
}

export function textDraft(type: "text" | "reasoning", text: string, { countTokens }: TextReader): ItemDraft {
	return { type, tokens: countTokens(text) + FRAMING };
}

/** Tokens of a content: a text, or a list of texts, images and other values. */
function contentTokens(content: unknown, { countTokens }: TextReader): number {
	if (typeof content === "string") return countTokens(content) + FRAMING;
	if (!Array.isArray(content)) return countTokens(JSON.stringify(content) ?? "") + FRAMING;
	return content.reduce((sum: number, block: unknown) => {
		if (isRecord(block) && typeof block.text === "string") return sum + countTokens(block.text);
		const isImage = isRecord(block) && /image|media|file/.test(textOf(block.type));
		return sum + (isImage ? IMAGE_TOKENS : countTokens(JSON.stringify(block) ?? ""));
	}, FRAMING);
}

/** The texts of a content; values that are no texts stand for themselves. */
export function textsOf(content: unknown): readonly string[] {
	if (typeof content === "string") return [content];
	if (!Array.isArray(content)) return [JSON.stringify(content) ?? ""];
	return content.map((block: unknown) =>
		isRecord(block) && typeof block.text === "string" ? block.text : (JSON.stringify(block) ?? ""),
	);
}

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** Arguments as a host has them: an object, or its JSON. Others are kept under the name that shells and patches have. */
export function argumentsOf(value: unknown): UnknownRecord {
	if (isRecord(value)) return value;
	try {
		const parsed: unknown = JSON.parse(textOf(value));
		if (isRecord(parsed)) return parsed;
	} catch {
		// Not JSON: kept as it is.
	}
	return { input: value };
}
