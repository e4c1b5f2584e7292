/** Helpers that the readers of all formats share. */
import { isRecord, type UnknownRecord } from "#core";
import { plainToolName } from "../own-tools/tool-names.ts";
import type { Entry, ItemDraft, MessageDraft, Place, TextReader } from "./wire-format.ts";

/** Tokens that the wire adds around each item: role, separators, block types. */
export const FRAMING = 4;
/** Tokens of an image: the middle of what providers charge for a screenshot. */
const IMAGE_TOKENS = 1_200;

export const ENTRY: Place = { type: "entry" };

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

export function recordsOf(value: unknown): readonly UnknownRecord[] {
	return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The texts of a content, one line after the other; images and the like have none. */
export function contentText(content: unknown): string {
	if (typeof content === "string") return content;
	return recordsOf(content)
		.map(({ text }) => textOf(text))
		.join("\n");
}

const IMAGE = /image|screenshot/;

/** Tokens of a content, images included. */
export function contentTokens(content: unknown, { countTokens }: TextReader): number {
	if (typeof content === "string") return countTokens(content) + FRAMING;
	return recordsOf(content).reduce((sum, block) => {
		if (typeof block.text === "string") return sum + countTokens(block.text);
		if (typeof block.type === "string" && IMAGE.test(block.type)) return sum + IMAGE_TOKENS;
		return sum + countTokens(JSON.stringify(block));
	}, FRAMING);
}

/** A message that nobody takes and that is known by all that it holds. */
export function opaque(value: unknown, reader: TextReader): Entry {
	const text = JSON.stringify(withoutMarkers(value)) ?? "";
	return { identity: text, drafts: [silent(reader.countTokens(text) + FRAMING)] };
}

export function silent(tokens: number): MessageDraft {
	return { author: "host", items: [], uncounted: tokens };
}

export function single(author: MessageDraft["author"], draft: ItemDraft, place: Place = ENTRY): MessageDraft {
	return { author, items: [{ draft, place }] };
}

/** Arguments that are no object are kept under the name that shells and patches have. */
export function argumentsOf(value: unknown): UnknownRecord {
	if (isRecord(value)) return value;
	const parsed = typeof value === "string" ? parseJson(value) : undefined;
	return isRecord(parsed) ? parsed : { input: value };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function callDraft(
	callId: string,
	tool: string,
	args: UnknownRecord,
	{ countTokens, digestCall }: TextReader,
): ItemDraft {
	const tokens = countTokens(tool) + countTokens(JSON.stringify(args)) + FRAMING;
	return {
		type: "call",
		callId,
		tool: plainToolName(tool),
		arguments: args,
		tokens,
		digest: digestCall(args),
	};
}

export function resultDraft(
	callId: string,
	content: unknown,
	isError: boolean,
	reader: TextReader,
): ItemDraft {
	const tokens = contentTokens(content, reader);
	return { type: "result", callId, isError, tokens, digest: reader.digestOutput(contentText(content)) };
}

/** A value without cache markers, which agents move from request to request. */
export function withoutMarkers(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutMarkers);
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, inner]) =>
			key === "cache_control" ? [] : [[key, withoutMarkers(inner)]],
		),
	);
}

export function element(list: string, index: number): Place {
	return { type: "element", list, index };
}
