/** A request body: taken apart as far as the proxy needs it, compared with the recent ones, and its messages read. */
import { sum, type UnknownRecord } from "#basics";
import {
	memberOf,
	parseAt,
	type ScannedArray,
	type ScannedObject,
	type Span,
	scanArray,
	scanObject,
} from "../formats/json-bytes.ts";
import {
	contentText,
	type Entry,
	fingerprint,
	type TextReader,
	type WireFormat,
} from "../formats/wire-format.ts";
import { nextLink, type Transcript } from "./transcript.ts";

export interface ParsedRequest {
	readonly bytes: Buffer;
	/** The list of messages. */
	readonly list: ScannedArray;
	/** All other values, without system prompt and tools. */
	readonly options: UnknownRecord;
	readonly system: Span | undefined;
	readonly tools: Span | undefined;
}

/** A conversation as its last request had it. */
export interface Conversation {
	readonly format: WireFormat;
	readonly request: ParsedRequest;
	readonly readings: readonly Entry[];
	/** The name of the conversation up to each message. */
	readonly links: readonly string[];
	/** The names under which the store of passes knows it. Until an id tells the conversation from all others, its system prompt is part of them. */
	readonly names: readonly string[];
	readonly transcript: Transcript;
	/** Tokens of the system prompt and of the tools. */
	readonly fixed: { readonly system: number; readonly tools: number };
	/** The first entry that the agent changed since earlier requests, or UNCHANGED. */
	readonly change: number;
}

/** A request that is passed on as it is; the message says why. */
export class NotUnderstood extends Error {}

/** Takes a body apart; the messages themselves are not parsed. @throws NotUnderstood */
function parseRequest(bytes: Buffer, format: WireFormat): ParsedRequest {
	const scanned = scanObject(bytes);
	if (!scanned) throw new NotUnderstood("the body is no JSON object");
	const spanOf = (key: string) => memberOf(scanned, key)?.value;
	const messages = spanOf(format.list);
	const list = messages && scanArray(bytes, messages.start);
	if (!list) throw new NotUnderstood(`the body has no list "${format.list}"`);
	const options = optionsOf(bytes, scanned, format);
	const holder = format.heldBy(options);
	if (holder !== undefined) throw new NotUnderstood(`the provider holds its messages (${holder})`);
	const system = format.system === undefined ? undefined : spanOf(format.system);
	return { bytes, list, options, system, tools: spanOf(TOOLS) };
}

const TOOLS = "tools";

function optionsOf(bytes: Buffer, { members }: ScannedObject, { list, system }: WireFormat): UnknownRecord {
	const options: Record<string, unknown> = {};
	for (const { key, value } of members) {
		if (key === list || key === TOOLS || key === system) continue;
		const parsed = parseAt(bytes, value);
		if (parsed === undefined) throw new NotUnderstood("the body is no valid JSON");
		options[key] = parsed;
	}
	return options;
}

/** A request taken apart, with the conversation that is nearest to it. */
export interface Located {
	readonly request: ParsedRequest;
	readonly known: Conversation | undefined;
	/** Messages that begin both, byte for byte. */
	readonly same: number;
}

/** Takes a request apart. The most recent conversation stands last. @throws NotUnderstood */
export function locateRequest(recent: readonly Conversation[], body: Buffer, format: WireFormat): Located {
	const request = parseRequest(body, format);
	let nearest: Located = { request, known: undefined, same: 0 };
	for (const known of recent.filter((each) => each.format === format).toReversed()) {
		const same = countEqual(known.request, request);
		if (same > nearest.same) nearest = { request, known, same };
	}
	return nearest;
}

function countEqual(one: ParsedRequest, other: ParsedRequest): number {
	const { elements } = one.list;
	const index = elements.findIndex((span, at) => !isEqualAt(one, span, other, other.list.elements[at]));
	return index < 0 ? elements.length : index;
}

/** Returns true if the same bytes stand at both places. */
export function isEqualAt(
	one: ParsedRequest,
	a: Span | undefined,
	other: ParsedRequest,
	b: Span | undefined,
): boolean {
	// `compare` of Deno 2.9.6 takes no range beyond the end of the shorter buffer.
	return a !== undefined && b !== undefined && bytesAt(one, a).equals(bytesAt(other, b));
}

function bytesAt({ bytes }: ParsedRequest, { start, end }: Span): Buffer {
	return bytes.subarray(start, end);
}

/** Larger messages pass unread: reading one cannot be interrupted. In bytes. */
const MAX_ENTRY = 16 * 1024 * 1024;
/** The largest context windows have 2M tokens. A longer request will be refused, and would hold up others until then. */
const MAX_TOKENS = 2_100_000;

/** Bytes of new messages that are read at once; a slice takes some 10 ms. */
const SLICE = 64 * 1024;

/**
 * Reads the messages of a request, and stops after each slice of new ones. Those whose bytes are known, or that stand in
 * `read` by their index, are not read again.
 *
 * @throws NotUnderstood
 */
export function* readEntries(
	{ request, known, same }: Located,
	format: WireFormat,
	reader: TextReader,
	read: Map<number, Entry>,
): Generator<undefined, Pick<Conversation, "readings" | "links" | "names">> {
	const readings: Entry[] = known?.readings.slice(0, same) ?? [];
	const links: string[] = known?.links.slice(0, same) ?? [];
	// A token has at least one byte.
	let tokens = request.bytes.length > MAX_TOKENS ? sum(readings, tokensOf) : 0;
	let bytes = 0;
	for (const [index, span] of request.list.elements.entries()) {
		if (index < same) continue;
		const size = span.end - span.start;
		if (size > MAX_ENTRY) throw new NotUnderstood("a message has more than 16 MB");
		const isSame = known && isEqualAt(known.request, known.request.list.elements[index], request, span);
		const old = read.get(index) ?? (isSame ? known.readings[index] : undefined);
		const entry = old ?? format.readEntry(parseAt(request.bytes, span), reader);
		if (!entry) throw new NotUnderstood("a message has a form that is not known");
		read.set(index, entry);
		tokens += tokensOf(entry);
		if (tokens > MAX_TOKENS)
			throw new NotUnderstood("it has more than 2.1M tokens, and no model takes as many");
		readings.push(entry);
		links.push(nextLink(links.at(-1) ?? format.list, entry.identity));
		bytes += size;
		if (bytes < SLICE) continue;
		bytes = 0;
		yield;
	}
	return { readings, links, names: namesOf(request, readings, links) };
}

/** A line of Claude Code's that is another one in each request. */
const BILLING = /^x-anthropic-billing-header:.*$/m;

function namesOf(
	{ bytes, system: span }: ParsedRequest,
	readings: readonly Entry[],
	links: readonly string[],
): readonly string[] {
	const unique = readings.findIndex(({ drawnId }) => drawnId !== undefined);
	const end = unique < 0 ? links.length : unique;
	if (!span || end === 0) return links;
	const system = fingerprint(contentText(parseAt(bytes, span)).replace(BILLING, ""));
	return links.map((link, index) => (index < end ? `${link}.${system}` : link));
}

function tokensOf({ drafts }: Entry): number {
	return sum(drafts, ({ items, uncounted = 0 }) => uncounted + sum(items, ({ draft }) => draft.tokens));
}
