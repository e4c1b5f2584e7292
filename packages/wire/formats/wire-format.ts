/** The common form of the APIs' requests: a list of entries, each with items that a pass may take; and helpers to read them. */

import { createHash } from "node:crypto";
import { isRecord, sum, textOf, type UnknownRecord } from "#basics";
import { DELIMITER } from "#core/annotation";
import { thinkingSize } from "#core/ledger";
import { RECALL } from "#core/recall";
import { type Digest, findingsIn, type Item } from "#core/transcript";
import { parseJson } from "./json-bytes.ts";

/** Where an item stands in its entry. */
export type Place =
	/** It is all of the entry. */
	| { readonly type: "entry" }
	/** Elements of a list that the entry holds, such as a block of its content, or a provider's own call and its result. */
	| { readonly type: "element"; readonly list: string; readonly indexes: readonly number[] }
	/** The value of a key. */
	| { readonly type: "member"; readonly key: string };

type WithoutPlace<T> = T extends unknown ? Omit<T, "id" | "message"> : never;

/** An item without its identity, which depends on the messages before it. */
export type ItemDraft = WithoutPlace<Item>;
export type CallDraft = Extract<ItemDraft, { readonly type: "call" }>;

export interface PlacedDraft {
	readonly draft: ItemDraft;
	readonly place: Place;
	/** The text to send in place of a result of one of our own tools. */
	readonly answer?: string;
	/** The result loads tools, which are gone once it is: it stays with its call. */
	readonly isHeld?: true;
}

/** A neutral message that an entry holds. Messages that are not the model's have one item, or none: then no pass takes them. */
export interface MessageDraft {
	readonly author: "user" | "host" | "model" | "tool";
	readonly items: readonly PlacedDraft[];
	/** Tokens of what is in no item. The entry then always stays, and loses at most its items. */
	readonly uncounted?: number;
}

/** An element of the request's list of messages. */
export interface Entry {
	/** Names the message in later requests: nothing in it may change when an agent sends the message again. */
	readonly identity: string;
	/** The id of a call in it, if its provider drew that: no other conversation has it. */
	readonly drawnId?: string;
	/** The seal of thinking in it, which holds for one prefix only. */
	readonly seal?: string;
	readonly drafts: readonly MessageDraft[];
	/** True if its items belong to the model message that the entry before it is part of. */
	readonly continues?: boolean;
}

/** Counts tokens and looks into texts; the host of this package provides it. */
export interface TextReader {
	readonly countTokens: (text: string) => number;
	readonly digestCall: (args: UnknownRecord) => Digest;
	readonly digestOutput: (text: string) => Digest;
}

export interface WireFormat {
	/** The key of the list of messages. */
	readonly list: string;
	/** The key of the system prompt, if it is no message. */
	readonly system?: string;
	/** Reads an entry; undefined if it is of no form that is known. */
	readEntry(entry: unknown, reader: TextReader): Entry | undefined;
	/** The option by which the provider holds the messages of a request's conversation, so that it cannot be edited. */
	heldBy(options: UnknownRecord): string | undefined;
	/** Returns true for a body that asks the provider to hold its messages from now on; absent if the API has no such request. */
	asksToHold?(body: Buffer): boolean;
	/** Returns true if the provider wants the thinking of the open tool loop back, and does not bind it to its prefix. */
	keepsLoopThinking(options: UnknownRecord): boolean;
	/** An entry that holds a text of the proxy's own. */
	noteEntry(text: string): object;
	/** A system message inside the conversation as a user's reminder; absent if the API takes system messages anywhere. */
	asReminder?(entry: unknown): object | undefined;
	/**
	 * The form in which consecutive answers share their contents once a pass took what was between them; absent where they stay
	 * apart. Servers whose answers have texts are strict: they want user messages in turn too.
	 */
	readonly joins?: "texts" | "blocks";
	/** The key of a result's content: in the list of the entry's blocks, or in the entry itself. */
	readonly resultContent: string;
	/** A block of text as a part of a result. */
	resultText(text: string): object;
	/** Keys that go from what is left of an answer whose thinking left. */
	readonly boundKeys: readonly string[];
	/** Prices of a cached and of an uncached token, as multiples of the price of plain input. */
	readonly prices: { readonly read: number; readonly write: number };
	/** Tokens of a request by the usage of its answer, cached ones included; 0 if the usage does not say. */
	reportedInput(usage: UnknownRecord): number;
}

/** Tokens that the wire adds around each item: role, separators, block types. */
export const FRAMING = 4;
/** Tokens of an image: the middle of what providers charge for a screenshot. */
const IMAGE_TOKENS = 1_200;

export const ENTRY: Place = { type: "entry" };

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

/** The texts of a content in either form; images and the like stand for themselves. */
export function partsOf(content: unknown): readonly unknown[] {
	if (typeof content === "string") return [content];
	return recordsOf(content).map((part) => (typeof part.text === "string" ? part.text : withoutMarkers(part)));
}

/** Ids as Anthropic and OpenAI draw them: digits stand among the letters, not only behind a name or a row of zeros. */
const DRAWN = /^(?:toolu|call)_(?:bdrk_|vrtx_)?((?=[A-Za-z]*\d+[A-Za-z])[A-Za-z\d]{16,})$/;
const MIN_CHARACTERS = 8;

/** Returns true for a call id that its provider drew at random. Other servers count, or leave ids empty. */
export function isDrawnId(id: string): boolean {
	const [, drawn] = DRAWN.exec(id) ?? [];
	return new Set(drawn).size >= MIN_CHARACTERS;
}

/** The first call id that its provider drew. */
export function drawnIdOf(items: readonly PlacedDraft[]): { readonly drawnId?: string } {
	const drawn = items.find(({ draft }) => draft.type === "call" && isDrawnId(draft.callId))?.draft;
	return drawn?.type === "call" ? { drawnId: drawn.callId } : {};
}

/** Names a call in its conversation. */
export function callIdentity({ callId, tool, arguments: args }: CallDraft): unknown {
	return [callId, tool, fingerprint(JSON.stringify(args))];
}

/** Names a result. One whose id was drawn keeps its name when the agent shortens it; any other id may stand for another result. */
export function resultIdentity(callId: string, content: unknown): readonly string[] {
	return isDrawnId(callId) ? [callId] : [callId, fingerprint(JSON.stringify(partsOf(content)))];
}

export function fingerprint(text: string): string {
	return createHash("sha256").update(text).digest("base64url").slice(0, 20);
}

const IMAGE = /image|screenshot/;

/** Tokens of a content, images included. */
export function contentTokens(content: unknown, { countTokens }: TextReader): number {
	if (typeof content === "string") return countTokens(content) + FRAMING;
	const sizes = recordsOf(content).map((block) => {
		if (typeof block.text === "string") return countTokens(block.text);
		return IMAGE.test(textOf(block.type)) ? IMAGE_TOKENS : countTokens(JSON.stringify(block));
	});
	return sum(sizes) + FRAMING;
}

/** A message that no pass takes and that is known by all that it holds. */
export function opaque(value: unknown, reader: TextReader): Entry {
	return { identity: plainJson(value), drafts: [silent(opaqueTokens(value, reader))] };
}

/** The JSON of a value without cache markers. */
export function plainJson(value: unknown): string {
	return JSON.stringify(withoutMarkers(value)) ?? "";
}

/** Tokens of a value of unknown form. Sealed texts in it count by their size. */
export function opaqueTokens(value: unknown, { countTokens }: TextReader): number {
	let sealed = 0;
	const text = JSON.stringify(withoutMarkers(value), (key, inner: unknown) => {
		if (!key.startsWith("encrypted_") || typeof inner !== "string") return inner;
		sealed += sealedTextTokens(inner);
		return "";
	});
	return countTokens(text ?? "") + sealed + FRAMING;
}

/** Thinking of which the text has these tokens; the rest of it is sealed. */
export function readReasoning(textTokens: number, kind: "signature" | "encrypted", seal: string): ItemDraft {
	const size = thinkingSize(textTokens, seal === "" ? undefined : { kind, characters: seal.length });
	return { type: "reasoning", ...size, tokens: size.tokens + FRAMING };
}

/** A sealed text is base64 of about as many bytes as the text has. */
function sealedTextTokens({ length }: string): number {
	return Math.ceil((length * 3) / 16);
}

/** The sum of some counts of a usage. */
export function sumCounts(usage: UnknownRecord, keys: readonly string[]): number {
	return sum(keys, (key) => (typeof usage[key] === "number" ? usage[key] : 0));
}

export function silent(tokens: number): MessageDraft {
	return { author: "host", items: [], uncounted: tokens };
}

/** A message whose one item is all of the entry. */
export function single(author: MessageDraft["author"], draft: ItemDraft): MessageDraft {
	return { author, items: [{ draft, place: ENTRY }] };
}

export function userDraft(content: unknown, reader: TextReader): MessageDraft {
	return single("user", { type: "user", tokens: contentTokens(content, reader) });
}

/** An entry that is a message of the user. */
export function userEntry(content: unknown, reader: TextReader): Entry {
	return { identity: JSON.stringify(["user", partsOf(content)]), drafts: [userDraft(content, reader)] };
}

/** An entry that is the result of a call. */
export function resultEntry(callId: string, content: unknown, isError: boolean, reader: TextReader): Entry {
	const identity = JSON.stringify(["result", ...resultIdentity(callId, content)]);
	return { identity, drafts: [single("tool", resultDraft(callId, content, isError, reader))] };
}

/** Arguments that are no object are kept under the name that shells and patches have. */
export function argumentsOf(value: unknown): UnknownRecord {
	if (isRecord(value)) return value;
	const parsed = typeof value === "string" ? parseJson(value) : undefined;
	return isRecord(parsed) ? parsed : { input: value };
}

/** A text of the model, in parts of which those that are no text say nothing. `isClosing`: its answer is known to make no call. */
export function textDraft(parts: readonly unknown[], tokens: number, isClosing: boolean): ItemDraft {
	const findings = findingsIn(parts.map(textOf).join("\n"), isClosing);
	const isBlank = parts.every((part) => typeof part === "string" && part.trim() === "");
	return { type: "text", tokens, ...(isBlank && { isBlank }), ...(findings !== "" && { findings }) };
}

export function callDraft(
	callId: string,
	tool: string,
	args: UnknownRecord,
	{ countTokens, digestCall }: TextReader,
): CallDraft {
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

export function userMessage(content: string): object {
	return { role: "user", content };
}

export function textBlock(text: unknown): UnknownRecord {
	return { type: "text", text };
}

export function element(list: string, ...indexes: readonly number[]): Place {
	return { type: "element", list, indexes };
}

/** The name under which agents are told to add the server. */
export const MCP_SERVER = "cwl";

/** Claude Code and Codex put `mcp__cwl__` before the name, opencode `cwl_`. */
const OWN_TOOL = new RegExp(
	`^(?:mcp__(?:\\w+_)?${MCP_SERVER}__|${MCP_SERVER}_)(${DELIMITER}|${RECALL}|glob|grep)$`,
);

/** The name of a tool without what an agent puts before the tools of our server; other names as they are. */
export function plainToolName(name: string): string {
	return OWN_TOOL.exec(name)?.[1] ?? name;
}
