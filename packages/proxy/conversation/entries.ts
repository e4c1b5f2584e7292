/** Reads the messages of a request, at once or in slices. */
import { parseAt } from "../wire/json-scan.ts";
import type { Entry, TextReader, WireFormat } from "../wire/wire-format.ts";
import { isEqualAt, type Located, type ReadRequest } from "./nearest.ts";
import type { NotUnderstood } from "./request.ts";
import { nextLink } from "./transcript.ts";

/** Larger messages pass unread: reading one cannot be interrupted. In bytes. */
const MAX_ENTRY = 16 * 1024 * 1024;
/** The largest context windows have 2M tokens. A longer request will be refused, and would hold up others until then. */
const MAX_TOKENS = 2_100_000;

/** New messages of at least so many bytes are read in slices of this size; a slice takes some 10 ms. */
const SLICE = 64 * 1024;

interface Readings extends Pick<ReadRequest, "readings" | "links"> {
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
	return { type: "read", readings, links };
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
