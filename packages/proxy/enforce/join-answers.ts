/**
 * Strict servers that speak chat completions want answers and other messages in turn. Of answers that follow each other because
 * the calls and results between them left, the later one takes the texts; a user message takes the lines next to it.
 */
import type { ParsedRequest } from "../conversation/request.ts";
import type { PlacedItem, Transcript } from "../conversation/transcript.ts";
import {
	type Edit,
	memberOf,
	parseAt,
	type ScannedObject,
	scanObject,
	setMember,
} from "../wire/json-bytes.ts";
import { recordsOf, type WireFormat } from "../wire/wire-format.ts";

interface Sent {
	/** True for entries that are sent. Those whose texts an answer takes become false. */
	readonly kept: boolean[];
	/** Entries with a text of the proxy's own behind them. */
	readonly notes: ReadonlyMap<number, unknown>;
	readonly isSent: (item: PlacedItem) => boolean;
}

/** Returns the contents that an answer takes from those before it, by its entry. Two that the agent sent in a row stay. */
export function joinAnswers(
	{ bytes, list }: ParsedRequest,
	{ joinedText }: WireFormat,
	{ entries, messages }: Transcript,
	{ kept, notes, isSent }: Sent,
): ReadonlyMap<number, readonly unknown[]> {
	const joined = new Map<number, readonly unknown[]>();
	if (joinedText === undefined) return joined;
	const itemsOf = (index: number) => entries[index]?.items ?? [];
	const isAnswer = (index: number) => messages[itemsOf(index)[0]?.message ?? -1]?.author === "model";
	let before = -1;
	for (const index of kept.keys()) {
		if (!kept[index]) continue;
		const span = list.elements[before];
		if (span && before < index - 1 && !notes.has(before) && isAnswer(before) && isAnswer(index)) {
			const entry = scanObject(bytes, span.start);
			const text = entry && memberOf(entry, joinedText);
			const isText = itemsOf(before).some((item) => item.draft.type === "text" && isSent(item));
			joined.set(index, [
				...(joined.get(before) ?? []),
				...(text && isText ? [parseAt(bytes, text.value)] : []),
			]);
			joined.delete(before);
			kept[before] = false;
		}
		before = index;
	}
	return joined;
}

/** Edits that put the contents of the answers before it in front of an answer's own, if that `isKept`. */
export function joinTexts(
	bytes: Buffer,
	entry: ScannedObject,
	key: string | undefined,
	before: readonly unknown[],
	isKept: boolean,
): readonly Edit[] {
	if (key === undefined || before.length === 0) return [];
	const member = memberOf(entry, key);
	const own = isKept && member ? parseAt(bytes, member.value) : "";
	const contents = [...before, own].filter((content) => content !== null && content !== "");
	const isPlain = contents.every((content) => typeof content === "string");
	return setMember(entry, key, isPlain ? contents.join("\n\n") : contents.flatMap(asParts));
}

/** The lines of the proxy's own that a user message takes, in front of its content and behind it. */
interface TakenNotes {
	readonly before: string[];
	readonly after: string[];
}

/** Takes the lines next to user messages out of `notes`; returns them by the entry that holds them from now on. */
export function takeNotes(
	{ joinedText }: WireFormat,
	notes: Map<number, readonly string[]>,
	{ entries, messages }: Pick<Transcript, "entries" | "messages">,
	kept: readonly boolean[],
): ReadonlyMap<number, TakenNotes> {
	const taken = new Map<number, TakenNotes>();
	if (joinedText === undefined) return taken;
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
	{ joinedText = "" }: WireFormat,
	{ before, after }: TakenNotes,
): readonly Edit[] {
	const member = entry && memberOf(entry, joinedText);
	if (!member) return [];
	const own = asParts(parseAt(bytes, member.value));
	return setMember(entry, joinedText, [...before.flatMap(asParts), ...own, ...after.flatMap(asParts)]);
}

function asParts(content: unknown): readonly unknown[] {
	return typeof content === "string" ? [{ type: "text", text: content }] : recordsOf(content);
}
