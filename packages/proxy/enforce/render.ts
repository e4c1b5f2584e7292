/** From core's projection to the bytes of a request: what is sent keeps its bytes, and the rest is cut out around it. */
import { type ProjectedPart, sentPlaces } from "#core/projection";
import type { ParsedRequest } from "../conversation/request.ts";
import type { EntryItems, PlacedItem, Transcript } from "../conversation/transcript.ts";
import { applyEdits, type Edit, editElements, removeMembers } from "../wire/edits.ts";
import {
	memberOf,
	parseAt,
	type ScannedObject,
	type Span,
	scanArray,
	scanObject,
} from "../wire/json-scan.ts";
import type { WireFormat } from "../wire/wire-format.ts";
import { type PlacedLines, placeLines } from "./markers.ts";
import { editSystemEntries } from "./system-entries.ts";

interface Rendering {
	readonly request: ParsedRequest;
	readonly format: WireFormat;
	readonly isSent: (item: PlacedItem) => boolean;
	/** Returns true for model messages of which thinking is not sent. */
	readonly lostThinking: ReadonlySet<number>;
	readonly lines: PlacedLines;
}

/** The parts of a request that are sent. */
export interface Selection {
	readonly parts: readonly ProjectedPart[];
	/** True if the agent has a tool that gives back what was evicted. */
	readonly offersRecall: boolean;
}

/** The body of a request with only these parts; the same bytes if nothing is left out. */
export function renderRequest(
	request: ParsedRequest,
	format: WireFormat,
	transcript: Transcript,
	{ parts, offersRecall }: Selection,
): Buffer {
	if (isUntouched(parts, transcript)) return request.bytes;
	const isSent = sentPlaces(parts);
	const rendering: Rendering = {
		request,
		format,
		isSent,
		lostThinking: findLostThinking(transcript, isSent),
		lines: placeLines(parts, transcript, offersRecall),
	};
	const kept = transcript.entries.map(
		({ items, isHeld }) => isHeld || items.length === 0 || items.some(isSent),
	);
	const notes = new Map(
		[...rendering.lines.afterEntries].map(
			([entry, texts]) => [entry, texts.map((text) => JSON.stringify(format.noteEntry(text)))] as const,
		),
	);
	const inside = transcript.entries.flatMap((entry, index) => {
		const span = request.list.elements[index];
		return kept[index] && span ? editEntry(rendering, entry, span) : [];
	});
	const reminders = editSystemEntries(request, format, transcript, kept);
	const between = editElements(request.list, (index) => kept[index] !== false, notes);
	return applyEdits(request.bytes, [...between, ...inside, ...reminders]);
}

/** Returns true if all messages are sent as they came: the usual case below the budget. */
function isUntouched(parts: readonly ProjectedPart[], { messages, entries }: Transcript): boolean {
	return (
		parts.length === messages.length &&
		parts.every(({ type }) => type === "whole") &&
		entries.every(({ isAnswered }) => !isAnswered)
	);
}

function findLostThinking({ entries }: Transcript, isSent: Rendering["isSent"]): ReadonlySet<number> {
	const lost = new Set<number>();
	for (const { items } of entries) {
		for (const item of items) if (item.type === "reasoning" && !isSent(item)) lost.add(item.message);
	}
	return lost;
}

/** Edits of an entry of which something is sent. */
function editEntry(rendering: Rendering, { items }: EntryItems, span: Span): readonly Edit[] {
	const { request, format, isSent, lostThinking, lines } = rendering;
	const dropped = items.filter((item) => !isSent(item));
	const isUnbound = format.boundKeys.length > 0 && items.some(({ message }) => lostThinking.has(message));
	const marked = items.filter(
		(item) =>
			item.type === "result" &&
			isSent(item) &&
			(item.answer !== undefined || lines.inResults.has(item.message)),
	);
	if (dropped.length === 0 && !isUnbound && marked.length === 0) return [];
	const entry = scanObject(request.bytes, span.start);
	if (!entry) return [];
	return [
		...dropParts(request.bytes, entry, dropped, isUnbound ? format.boundKeys : []),
		...marked.flatMap((item) => {
			const texts = lines.inResults.get(item.message) ?? [];
			const block = blockOf(request.bytes, entry, item);
			return item.answer === undefined
				? addToResult(request.bytes, format, block, texts)
				: replaceResult(format, block, [item.answer, ...texts].join("\n\n"));
		}),
	];
}

function dropParts(
	bytes: Buffer,
	entry: ScannedObject,
	dropped: readonly PlacedItem[],
	boundKeys: readonly string[],
): readonly Edit[] {
	const gone = new Set(boundKeys);
	const edits: Edit[] = [];
	const elements = new Map<string, Set<number>>();
	for (const { place } of dropped) {
		if (place.type === "element") {
			elements.set(place.list, (elements.get(place.list) ?? new Set()).add(place.index));
		} else if (place.type === "member" && place.key === "content") {
			// Providers want the key, and take null for no text next to calls.
			const member = memberOf(entry, place.key);
			if (member) edits.push({ ...member.value, text: "null" });
		} else if (place.type === "member") gone.add(place.key);
	}
	for (const [key, indexes] of elements) {
		const member = memberOf(entry, key);
		const list = member && scanArray(bytes, member.value.start);
		if (!list) continue;
		if (indexes.size === list.elements.length) gone.add(key);
		else edits.push(...editElements(list, (index) => !indexes.has(index)));
	}
	return [...edits, ...removeMembers(entry, [...gone])];
}

/** The object that an item is: an element of its entry's list, or the entry. */
function blockOf(bytes: Buffer, entry: ScannedObject, { place }: PlacedItem): ScannedObject | undefined {
	if (place.type !== "element") return entry;
	const member = memberOf(entry, place.list);
	const block = member && scanArray(bytes, member.value.start)?.elements[place.index];
	return block && scanObject(bytes, block.start);
}

/** Edits that put a text in place of what a result holds. */
function replaceResult(format: WireFormat, block: ScannedObject | undefined, text: string): readonly Edit[] {
	const member = block && memberOf(block, format.resultContent);
	return member ? [{ ...member.value, text: JSON.stringify(text) }] : [];
}

/** Edits that add texts to the end of a tool result, whose content is a text, a list of blocks, or missing. */
function addToResult(
	bytes: Buffer,
	format: WireFormat,
	block: ScannedObject | undefined,
	texts: readonly string[],
): readonly Edit[] {
	if (!block) return [];
	const member = memberOf(block, format.resultContent);
	const text = texts.join("\n");
	if (!member) {
		const end = block.members.at(-1)?.whole.end ?? block.span.start + 1;
		const comma = block.members.length > 0 ? "," : "";
		return [
			{ start: end, end, text: `${comma}${JSON.stringify(format.resultContent)}:${JSON.stringify(text)}` },
		];
	}
	const { start, end } = member.value;
	const list = scanArray(bytes, start);
	if (list) {
		const added = JSON.stringify(format.resultText(text));
		const last = list.elements.length - 1;
		return last < 0
			? [{ start: start + 1, end: start + 1, text: added }]
			: editElements(list, () => true, new Map([[last, [added]]]));
	}
	if (typeof parseAt(bytes, member.value) !== "string") return [{ start, end, text: JSON.stringify(text) }];
	return [{ start: end - 1, end: end - 1, text: JSON.stringify(`\n\n${text}`).slice(1, -1) }];
}
