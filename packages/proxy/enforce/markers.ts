/** Where the lines that stand for evicted content go in a request. */
import { type ProjectedPart, withoutRecall } from "#core/projection";
import type { TranscriptMessage } from "#core/transcript";
import type { EntryItems, Transcript } from "../conversation/transcript.ts";

/** The lines of a request, by the place that they stand at. */
export interface PlacedLines {
	/** Texts that are added to a tool result, by the index of its message in the transcript. */
	readonly inResults: ReadonlyMap<number, readonly string[]>;
	/** Texts that become entries of their own, by the index of the entry before them. */
	readonly afterEntries: ReadonlyMap<number, readonly string[]>;
}

type Anchor =
	| { readonly type: "result"; readonly message: number }
	| { readonly type: "entry"; readonly entry: number };

/**
 * Places the lines of a projection. In a tool loop a line is a text of the last result, or stands before the loop where
 * that has none: an entry of its own would end the loop, and a provider that reasons wants the answer after it to begin
 * with reasoning.
 */
export function placeLines(
	parts: readonly ProjectedPart[],
	{ messages, entries }: Pick<Transcript, "messages" | "entries">,
	offersRecall: boolean,
): PlacedLines {
	const entryOf = entriesByMessage(entries);
	const [inResults, afterEntries] = [new Map<number, string[]>(), new Map<number, string[]>()];
	let anchor: Anchor = { type: "entry", entry: 0 };
	for (const part of parts) {
		if (part.type === "marker") {
			const text = offersRecall ? part.text : part.text.split("\n").map(withoutRecall).join("\n");
			if (anchor.type === "result") addTo(inResults, anchor.message, text);
			else addTo(afterEntries, anchor.entry, text);
			continue;
		}
		const message = messages[part.message];
		if (!message || isPassedOver(message)) continue;
		const isResult = message.author === "tool";
		anchor = isResult
			? { type: "result", message: part.message }
			: { type: "entry", entry: entryOf.get(part.message) ?? 0 };
	}
	return { inResults, afterEntries };
}

/** Returns true if a tool loop goes on after a message, or the message belongs to the host. */
function isPassedOver({ author, items }: TranscriptMessage): boolean {
	if (items.length === 0) return true;
	return author === "model" && items.some(({ type }) => type === "call");
}

/** The last entry of each message. */
function entriesByMessage(entries: readonly EntryItems[]): ReadonlyMap<number, number> {
	const found = new Map<number, number>();
	for (const [entry, { items }] of entries.entries())
		for (const { message } of items) found.set(message, entry);
	return found;
}

function addTo(texts: Map<number, string[]>, at: number, text: string) {
	const known = texts.get(at);
	if (known) known.push(text);
	else texts.set(at, [text]);
}
