/** A request body: taken apart as far as the proxy needs it, compared with the recent ones, and its messages read. */
import {
	countShared,
	memberOf,
	parseAt,
	type ScannedArray,
	type ScannedObject,
	type Span,
	scanArray,
	scanObject,
	spanAt,
} from "../wire/json-bytes.ts";
import {
	contentText,
	type Entry,
	fingerprint,
	type RequestOptions,
	type TextReader,
	type WireFormat,
} from "../wire/wire-format.ts";
import { nextLink } from "./transcript.ts";

export interface ParsedRequest {
	readonly bytes: Buffer;
	/** The list of messages. */
	readonly list: ScannedArray;
	/** All other values, without system prompt and tools. */
	readonly options: RequestOptions;
	readonly system: readonly Span[];
	readonly tools: Span | undefined;
}

/** An earlier request, and the number of bytes that both begin with alike. */
export interface RecentRequest {
	readonly request: ParsedRequest;
	readonly shared: number;
}

/** A body that is passed on as it is, and why. */
export type NotUnderstood = { readonly type: "not understood"; readonly reason: string };

export type Parsed = { readonly type: "parsed"; readonly request: ParsedRequest } | NotUnderstood;

/**
 * Takes a body apart; the messages themselves are not parsed. Linear in the bytes that differ from the most similar of
 * the `recent` requests: agents send the same beginning again and again.
 */
export function parseRequest(
	bytes: Buffer,
	format: WireFormat,
	recent: readonly RecentRequest[] = [],
): Parsed {
	let list: ScannedArray | undefined;
	const scanned = scanObject(bytes, 0, (key, at) => {
		if (key !== format.list) return spanAt(bytes, at);
		list = scanArray(bytes, at, knownElements(at, recent));
		return list?.span ?? spanAt(bytes, at);
	});
	if (!scanned) return { type: "not understood", reason: "the body is no JSON object" };
	if (!list) return { type: "not understood", reason: `the body has no list "${format.list}"` };
	const options = optionsOf(bytes, scanned, format);
	if (!options) return { type: "not understood", reason: "the body is no valid JSON" };
	const obstacle = format.findObstacle(options);
	if (obstacle !== undefined) return { type: "not understood", reason: obstacle };
	const spanOf = (key: string) => memberOf(scanned, key)?.value;
	const system = format.system.flatMap((key) => spanOf(key) ?? []);
	return { type: "parsed", request: { bytes, list, options, system, tools: spanOf(format.tools) } };
}

/** The first messages of a body, as far as a recent request begins with the same bytes. */
function knownElements(at: number, recent: readonly RecentRequest[]): readonly Span[] {
	let known: readonly Span[] = [];
	let longest = at;
	for (const { request, shared } of recent) {
		if (shared <= longest) continue;
		longest = shared;
		// The end of a number shows by the byte after it.
		const end = request.list.elements.findIndex((element) => element.end >= shared);
		known = end < 0 ? request.list.elements : request.list.elements.slice(0, end);
	}
	return known;
}

function optionsOf(
	bytes: Buffer,
	{ members }: ScannedObject,
	{ list, system, tools }: WireFormat,
): RequestOptions | undefined {
	const options: Record<string, unknown> = {};
	for (const { key, value } of members) {
		if (key === list || key === tools || system.includes(key)) continue;
		const parsed = parseAt(bytes, value);
		if (parsed === undefined) return undefined;
		options[key] = parsed;
	}
	return options;
}

/** The last request of a conversation, as it was read. */
export interface ReadRequest {
	readonly format: WireFormat;
	readonly request: ParsedRequest;
	readonly readings: readonly Entry[];
	/** The name of the conversation up to each message. */
	readonly links: readonly string[];
	/** The same for the store. Until an id tells the conversation from all others, its system prompt does. */
	readonly names: readonly string[];
}

/** A request taken apart, with the conversation that is nearest to it. */
export interface Located<Known extends ReadRequest> {
	readonly type: "located";
	readonly request: ParsedRequest;
	readonly known: Known | undefined;
	/** Messages that begin both, byte for byte. */
	readonly same: number;
	/** Bytes that begin both. */
	readonly shared: number;
}

/** Takes a request apart. The most recent conversation stands last. */
export function locateRequest<Known extends ReadRequest>(
	recent: readonly Known[],
	body: Buffer,
	format: WireFormat,
): Located<Known> | NotUnderstood {
	const similar = recent.flatMap((conversation) =>
		conversation.format === format
			? { conversation, request: conversation.request, shared: countShared(conversation.request.bytes, body) }
			: [],
	);
	const parsed = parseRequest(body, format, similar);
	if (parsed.type !== "parsed") return parsed;
	const { request } = parsed;
	return { type: "located", request, ...findNearest(similar, request) };
}

interface Similar<Known> {
	readonly conversation: Known;
	readonly shared: number;
}

function findNearest<Known extends ReadRequest>(
	similar: readonly Similar<Known>[],
	request: ParsedRequest,
): Omit<Located<Known>, "type" | "request"> {
	let nearest: ReturnType<typeof findNearest<Known>> = { known: undefined, same: 0, shared: 0 };
	for (const { conversation: known, shared } of similar.toReversed()) {
		const same = countEqual(known.request, request, shared);
		if (same > nearest.same) nearest = { known, same, shared };
	}
	return nearest;
}

/** Two requests of one session begin with the same bytes: one comparison answers for all messages in them. */
function countEqual(one: ParsedRequest, other: ParsedRequest, shared: number): number {
	const end = Math.min(one.list.elements.length, other.list.elements.length);
	for (let index = 0; index < end; index += 1) {
		const [a, b] = [one.list.elements[index], other.list.elements[index]];
		const isShared = a && b && a.start === b.start && a.end === b.end && a.end <= shared;
		if (!isShared && !isEqualAt(one, a, other, b)) return index;
	}
	return end;
}

/** Returns true if the same bytes stand at both places. */
export function isEqualAt(
	one: ParsedRequest,
	a: Span | undefined,
	other: ParsedRequest,
	b: Span | undefined,
): boolean {
	if (!a || !b || a.end - a.start !== b.end - b.start) return false;
	return one.bytes.compare(other.bytes, b.start, b.end, a.start, a.end) === 0;
}

/** Larger messages pass unread: reading one cannot be interrupted. In bytes. */
const MAX_ENTRY = 16 * 1024 * 1024;
/** The largest context windows have 2M tokens. A longer request will be refused, and would hold up others until then. */
const MAX_TOKENS = 2_100_000;

/** New messages of at least so many bytes are read in slices of this size; a slice takes some 10 ms. */
const SLICE = 64 * 1024;

interface Readings extends Pick<ReadRequest, "readings" | "links" | "names"> {
	readonly type: "read";
}

/** Reads the messages of a request; those whose bytes are known, or that were read before, are not read again. */
export function readEntries(
	located: Located<ReadRequest>,
	format: WireFormat,
	reader: TextReader,
	before: ReadonlyMap<number, Entry> | undefined,
): Readings | NotUnderstood {
	const { request, known, same } = located;
	const readings: Entry[] = known?.readings.slice(0, same) ?? [];
	const links: string[] = known?.links.slice(0, same) ?? [];
	// A token has at least one byte.
	let tokens =
		request.bytes.length > MAX_TOKENS ? readings.reduce((sum, entry) => sum + tokensOf(entry), 0) : 0;
	for (const [index, { start, end }] of request.list.elements.entries()) {
		if (index < same) continue;
		if (end - start > MAX_ENTRY) return unread("a message has more than 16 MB");
		const entry = before?.get(index) ?? readEntry(located, format, reader, index);
		if (!entry) return unread("a message has a form that is not known");
		tokens += tokensOf(entry);
		if (tokens > MAX_TOKENS) return unread("it has more than 2.1M tokens, and no model takes as many");
		readings.push(entry);
		links.push(nextLink(links.at(-1) ?? format.list, entry.identity));
	}
	return { type: "read", readings, links, names: namesOf(request, readings, links) };
}

/** A line of Claude Code's that is another one in each request. */
const BILLING = /^x-anthropic-billing-header:.*$/m;

function namesOf(
	{ bytes, system: [span] }: ParsedRequest,
	readings: readonly Entry[],
	links: readonly string[],
): readonly string[] {
	const unique = readings.findIndex(({ drawnId }) => drawnId !== undefined);
	const end = unique < 0 ? links.length : unique;
	if (!span || end === 0) return links;
	const system = fingerprint(contentText(parseAt(bytes, span)).replace(BILLING, ""));
	return links.map((link, index) => (index < end ? `${link}.${system}` : link));
}

const unread = (reason: string): NotUnderstood => ({ type: "not understood", reason });

function tokensOf({ drafts }: Entry): number {
	return drafts.reduce(
		(sum, { items, uncounted = 0 }) => items.reduce((own, { draft }) => own + draft.tokens, sum + uncounted),
		0,
	);
}

/** Undefined for a message of no form that is known. */
function readEntry(
	{ request, known }: Located<ReadRequest>,
	format: WireFormat,
	reader: TextReader,
	index: number,
): Entry | undefined {
	const span = request.list.elements[index];
	const isSame = known && isEqualAt(known.request, known.request.list.elements[index], request, span);
	return (
		(isSame && known.readings[index]) || (span && format.readEntry(parseAt(request.bytes, span), reader))
	);
}

/**
 * Reads the new messages of a long request, and lets other requests through after each slice. Resolves with the messages
 * by their index; with none for a request that is short.
 */
export async function readInSlices(
	located: Located<ReadRequest>,
	format: WireFormat,
	reader: TextReader,
): Promise<ReadonlyMap<number, Entry>> {
	const entries = new Map<number, Entry>();
	const { elements, span: list } = located.request.list;
	const start = elements[located.same]?.start ?? list.end;
	let [bytes, tokens] = [0, 0];
	for (const [index, span] of elements.entries()) {
		if (list.end - start < SLICE || span.end - span.start > MAX_ENTRY || tokens > MAX_TOKENS) break;
		if (index < located.same) continue;
		const entry = readEntry(located, format, reader, index);
		if (!entry) break;
		entries.set(index, entry);
		tokens += tokensOf(entry);
		bytes += span.end - span.start;
		if (bytes < SLICE) continue;
		bytes = 0;
		await new Promise((resolve) => setImmediate(resolve));
	}
	return entries;
}
