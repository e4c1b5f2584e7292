/**
 * Providers want answers and other messages in turn: strict ones refuse two answers in a row, and Anthropic reads them as one.
 * Of answers that follow each other because the calls and results between them left, the last one takes the contents of
 * the others; a user message takes the lines next to it.
 */
import type { ParsedRequest } from "../conversation/request.ts";
import type { PlacedItem, Transcript } from "../conversation/transcript.ts";
import {
	type Edit,
	memberOf,
	parseAt,
	type ScannedObject,
	type Span,
	scanArray,
	scanObject,
	setMember,
} from "../formats/json-bytes.ts";
import { recordsOf, textBlock, type WireFormat } from "../formats/wire-format.ts";

/** The key of a message's content. */
const CONTENT = "content";

interface Sent {
	/** True for entries that are sent. Those whose contents an answer takes become false. */
	readonly kept: boolean[];
	/** Entries with a text of the proxy's own behind them. */
	readonly notes: ReadonlyMap<number, unknown>;
	readonly isSent: (item: PlacedItem) => boolean;
}

/**
 * Returns the contents that an answer takes from those before it, by its entry: JSON of texts or of blocks. Two answers that the
 * agent sent in a row stay apart, and so does one that begins with thinking, because some models want it to.
 */
export function joinAnswers(
	{ bytes, list }: ParsedRequest,
	{ joins }: WireFormat,
	{ entries, messages }: Transcript,
	{ kept, notes, isSent }: Sent,
): ReadonlyMap<number, readonly string[]> {
	const joined = new Map<number, readonly string[]>();
	if (!joins) return joined;
	const itemsOf = (index: number) => entries[index]?.items ?? [];
	const isAnswer = (index: number) => messages[itemsOf(index)[0]?.message ?? -1]?.author === "model";
	const isThought = (index: number) =>
		joins === "blocks" && itemsOf(index).find(isSent)?.draft.type === "reasoning";
	let before = -1;
	for (const index of kept.keys()) {
		if (!kept[index]) continue;
		const span = list.elements[before];
		const isApart = before < index - 1 && !notes.has(before) && isAnswer(before) && isAnswer(index);
		if (span && isApart && !isThought(index)) {
			const own = contentsOf(bytes, span, joins, itemsOf(before), isSent);
			joined.set(index, [...(joined.get(before) ?? []), ...own]);
			joined.delete(before);
			kept[before] = false;
		}
		before = index;
	}
	return joined;
}

/** The content of an answer that is sent, as JSON: one text, or each of its blocks. */
function contentsOf(
	bytes: Buffer,
	{ start }: Span,
	form: WireFormat["joins"],
	items: readonly PlacedItem[],
	isSent: Sent["isSent"],
): readonly string[] {
	const entry = scanObject(bytes, start);
	const member = entry && memberOf(entry, CONTENT);
	if (!member) return [];
	const rawOf = (span: Span) => bytes.toString("utf8", span.start, span.end);
	if (form === "texts") {
		const isText = items.some((item) => item.draft.type === "text" && isSent(item));
		return isText ? [rawOf(member.value)] : [];
	}
	const dropped = new Set(items.filter((item) => !isSent(item)).flatMap(indexesOf));
	const elements = scanArray(bytes, member.value.start)?.elements;
	if (!elements) return [JSON.stringify(textBlock(parseAt(bytes, member.value)))];
	return elements.filter((_, index) => !dropped.has(index)).map(rawOf);
}

function indexesOf({ place }: PlacedItem): readonly number[] {
	return place.type === "element" ? place.indexes : [];
}

/** Edits that put the blocks of the answers before it in front of an answer's own. */
export function joinBlocks(bytes: Buffer, entry: ScannedObject, before: readonly string[]): readonly Edit[] {
	const member = memberOf(entry, CONTENT);
	if (!member || before.length === 0) return [];
	const { start, end } = member.value;
	const blocks = before.join();
	if (scanArray(bytes, start)) return [{ start: start + 1, end: start + 1, text: `${blocks},` }];
	return [{ start, end, text: `[${blocks},${JSON.stringify(textBlock(parseAt(bytes, member.value)))}]` }];
}

/** Edits that put the texts of the answers before it in front of an answer's own, if that `isKept`. */
export function joinTexts(
	bytes: Buffer,
	entry: ScannedObject,
	before: readonly string[],
	isKept: boolean,
): readonly Edit[] {
	if (before.length === 0) return [];
	const member = memberOf(entry, CONTENT);
	const own: unknown = isKept && member ? parseAt(bytes, member.value) : "";
	const texts = before.map((text): unknown => JSON.parse(text));
	const contents = [...texts, own].filter((content) => content !== null && content !== "");
	const isPlain = contents.every((content) => typeof content === "string");
	return setMember(entry, CONTENT, isPlain ? contents.join("\n\n") : contents.flatMap(asParts));
}

/** The lines of the proxy's own that a user message takes, in front of its content and behind it. */
interface TakenNotes {
	readonly before: string[];
	readonly after: string[];
}

/** Takes the lines next to user messages out of `notes`; returns them by the entry that holds them from now on. */
export function takeNotes(
	{ joins }: WireFormat,
	notes: Map<number, readonly string[]>,
	{ entries, messages }: Pick<Transcript, "entries" | "messages">,
	kept: readonly boolean[],
): ReadonlyMap<number, TakenNotes> {
	const taken = new Map<number, TakenNotes>();
	if (joins !== "texts") return taken;
	const isUser = (index: number) => messages[entries[index]?.items[0]?.message ?? -1]?.author === "user";
	for (const [at, texts] of notes) {
		const next = kept.indexOf(true, at + 1);
		const taker = isUser(at) ? at : next;
		if (!isUser(taker)) continue;
		const held = taken.get(taker) ?? { before: [], after: [] };
		held[taker === at ? "after" : "before"].push(...texts);
		taken.set(taker, held);
		notes.delete(at);
	}
	return taken;
}

/** Edits that put lines around the content of a user message, whose own parts stay as they are. */
export function addNotes(
	bytes: Buffer,
	entry: ScannedObject | undefined,
	{ before, after }: TakenNotes,
): readonly Edit[] {
	const member = entry && memberOf(entry, CONTENT);
	if (!member) return [];
	const own = asParts(parseAt(bytes, member.value));
	return setMember(entry, CONTENT, [...before.flatMap(asParts), ...own, ...after.flatMap(asParts)]);
}

function asParts(content: unknown): readonly unknown[] {
	return typeof content === "string" ? [textBlock(content)] : recordsOf(content);
}
