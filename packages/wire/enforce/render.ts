/** From core's projection to the bytes of a request: what is sent keeps its bytes, and the rest is cut out around it. */
import { isRecord, textOf } from "#basics";
import type { ProjectedPart } from "#core/projection";
import type { TranscriptMessage } from "#core/transcript";
import type { ParsedRequest } from "../conversation/request.ts";
import { type EntryItems, type PlacedItem, sentItems, type Transcript } from "../conversation/transcript.ts";
import {
	applyEdits,
	type Edit,
	editElements,
	memberOf,
	parseAt,
	removeMembers,
	type ScannedObject,
	type Span,
	scanArray,
	scanObject,
	setMember,
} from "../formats/json-bytes.ts";
import type { WireFormat } from "../formats/wire-format.ts";
import { addNotes, joinAnswers, joinBlocks, joinTexts, takeNotes } from "./join-answers.ts";

interface Rendering {
	readonly request: ParsedRequest;
	readonly format: WireFormat;
	readonly isSent: (item: PlacedItem) => boolean;
	/** Model messages of which thinking is not sent. */
	readonly lostThinking: ReadonlySet<number>;
	readonly lines: ReturnType<typeof placeLines>;
	/** Contents of the answers before an answer that are sent with its own, as JSON, by its entry. */
	readonly joined: ReadonlyMap<number, readonly string[]>;
}

/** The parts of a request that are sent. */
export interface Selection {
	readonly parts: readonly ProjectedPart[];
	/** Makes a line for an evicted episode offer a recall as the agent has it. */
	readonly offerRecall: (line: string) => string;
}

/** The body of a request with only these parts; the same bytes if nothing is left out. */
export function renderRequest(
	request: ParsedRequest,
	format: WireFormat,
	transcript: Transcript,
	{ parts, offerRecall }: Selection,
): Buffer {
	if (isUntouched(parts, transcript)) return request.bytes;
	const isSent = sentItems(parts);
	const lines = placeLines(parts, transcript, offerRecall);
	const kept = transcript.entries.map(
		({ items, isHeld }) => isHeld || items.length === 0 || items.some(isSent),
	);
	const taken = takeNotes(format, lines.afterEntries, transcript, kept);
	const joined = joinAnswers(request, format, transcript, { kept, notes: lines.afterEntries, isSent });
	const items = transcript.entries.flatMap((entry) => entry.items);
	const unsentThinking = items.filter((item) => item.draft.type === "reasoning" && !isSent(item));
	const lostThinking = new Set(unsentThinking.map(({ message }) => message));
	const rendering: Rendering = { request, format, isSent, lostThinking, lines, joined };
	const notes = new Map(
		[...lines.afterEntries].map(
			([entry, texts]) => [entry, texts.map((text) => JSON.stringify(format.noteEntry(text)))] as const,
		),
	);
	const inside = transcript.entries.flatMap((entry, index) => {
		const span = request.list.elements[index];
		return kept[index] && span ? editEntry(rendering, entry, { span, index }) : [];
	});
	const inUsers = [...taken].flatMap(([index, texts]) => {
		const span = request.list.elements[index];
		return span ? addNotes(request.bytes, scanObject(request.bytes, span.start), texts) : [];
	});
	const reminders = editSystemEntries(request, format, transcript, kept);
	const between = editElements(request.list, (index) => kept[index] !== false, notes);
	return applyEdits(request.bytes, [...between, ...inside, ...inUsers, ...reminders]);
}

/** Returns true if all messages are sent as they came: the usual case below the budget. */
function isUntouched(parts: readonly ProjectedPart[], { messages, entries }: Transcript): boolean {
	return (
		parts.length === messages.length &&
		parts.every(({ type }) => type === "whole") &&
		entries.every(({ items }) => items.every(({ answer }) => answer === undefined))
	);
}

/** Edits of an entry of which something is sent. */
function editEntry(
	rendering: Rendering,
	{ items, lastMessage }: EntryItems,
	{ span, index }: { readonly span: Span; readonly index: number },
): readonly Edit[] {
	const { request, format, isSent, lostThinking, lines } = rendering;
	const { bytes } = request;
	const joined = rendering.joined.get(index) ?? [];
	const dropped = items.filter((item) => !isSent(item));
	const isUnbound = format.boundKeys.length > 0 && lostThinking.has(lastMessage);
	const marked = items.filter(
		(item) =>
			item.draft.type === "result" &&
			isSent(item) &&
			(item.answer !== undefined || lines.inResults.has(item.message)),
	);
	if (dropped.length === 0 && !isUnbound && marked.length === 0 && joined.length === 0) return [];
	const entry = scanObject(bytes, span.start);
	if (!entry) return [];
	const isText = ({ place }: PlacedItem) => place.type === "member" && place.key === "content";
	const takesTexts = joined.length > 0 && format.joins === "texts";
	const apart = takesTexts ? dropped.filter((item) => !isText(item)) : dropped;
	const isKept = apart.length === dropped.length;
	const blocks = createBlockFinder(bytes, entry);
	return [
		...dropParts(bytes, entry, apart, isUnbound ? format.boundKeys : []),
		...(takesTexts ? joinTexts(bytes, entry, joined, isKept) : joinBlocks(bytes, entry, joined)),
		...marked.flatMap((item) => {
			const texts = lines.inResults.get(item.message) ?? [];
			const block = blocks(item);
			if (!block) return [];
			return item.answer === undefined
				? addToResult(bytes, format, block, texts)
				: setMember(block, format.resultContent, [item.answer, ...texts].join("\n\n"));
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
			const indexes = elements.get(place.list) ?? new Set();
			for (const index of place.indexes) indexes.add(index);
			elements.set(place.list, indexes);
		} else if (place.type === "member" && place.key === "content") {
			// Providers want the key, and take null for no text next to calls.
			edits.push(...setMember(entry, place.key, null));
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

/** Finds the object that an item is: an element of its entry's list, or the entry. Each list is scanned once. */
function createBlockFinder(bytes: Buffer, entry: ScannedObject) {
	const lists = new Map<string, readonly Span[]>();
	return ({ place }: PlacedItem): ScannedObject | undefined => {
		if (place.type !== "element") return entry;
		const member = memberOf(entry, place.list);
		const list = lists.get(place.list) ?? (member && scanArray(bytes, member.value.start)?.elements) ?? [];
		lists.set(place.list, list);
		const block = list[place.indexes[0] ?? -1];
		return block && scanObject(bytes, block.start);
	};
}

/** Edits that add texts to the end of a tool result, whose content is a text, a list of blocks, or missing. */
function addToResult(
	bytes: Buffer,
	format: WireFormat,
	block: ScannedObject,
	texts: readonly string[],
): readonly Edit[] {
	const member = memberOf(block, format.resultContent);
	const text = texts.join("\n");
	if (!member) return setMember(block, format.resultContent, text);
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

/**
 * Places the lines of a projection: texts that are added to a result, by the index of its message, and texts that become entries of
 * their own, by the entry before them. In a tool loop a line is a text of the last result, or stands before the loop where
 * that has none: an entry of its own would end the loop, and a provider that reasons wants the answer after it to begin
 * with reasoning.
 */
function placeLines(
	parts: readonly ProjectedPart[],
	{ messages, entries }: Pick<Transcript, "messages" | "entries">,
	offerRecall: Selection["offerRecall"],
) {
	const entryOf = entriesByMessage(entries);
	const holdsAnswer = new Set(entries.flatMap(({ isHeld, lastMessage }) => (isHeld ? lastMessage : [])));
	const inResults = new Map<number, readonly string[]>();
	const afterEntries = new Map<number, readonly string[]>();
	let texts = afterEntries;
	let at = 0;
	for (const part of parts) {
		if (part.type === "marker") {
			const text = part.text.split("\n").map(offerRecall).join("\n");
			texts.set(at, [...(texts.get(at) ?? []), text]);
			continue;
		}
		const message = messages[part.message];
		if (!message || isPassedOver(message)) continue;
		// What the entry holds besides its items may be a call, or belong to one.
		if (message.author === "model" && holdsAnswer.has(part.message)) continue;
		const isResult = message.author === "tool";
		texts = isResult ? inResults : afterEntries;
		at = isResult ? part.message : (entryOf.get(part.message) ?? 0);
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

/** Edits of the system messages that no longer stand where the provider takes them. */
function editSystemEntries(
	request: ParsedRequest,
	{ asReminder }: WireFormat,
	transcript: Transcript,
	kept: readonly boolean[],
): readonly Edit[] {
	if (!asReminder || kept.every((isKept) => isKept)) return [];
	const edits: Edit[] = [];
	const left = [...kept.keys()].filter((index) => kept[index]);
	let before = "";
	for (const [at, index] of left.entries()) {
		const span = request.list.elements[index];
		const role = roleAt(request, transcript, index);
		const next = left[at + 1];
		const after = next === undefined ? undefined : roleAt(request, transcript, next);
		const isPlaced = before === "user" && (after === undefined || after === "assistant");
		// Where both neighbors are those that the agent sent, the place is the agent's own.
		const isMoved = left[at - 1] !== index - 1 || (next !== undefined && next !== index + 1);
		const reminder =
			role === "system" && !isPlaced && isMoved && span && asReminder(parseAt(request.bytes, span));
		if (reminder) edits.push({ ...span, text: JSON.stringify(reminder) });
		before = reminder ? "user" : role;
	}
	return edits;
}

function roleAt(request: ParsedRequest, { entries, messages }: Transcript, index: number): string {
	const [item] = entries[index]?.items ?? [];
	const author = item && messages[item.message]?.author;
	if (author) return author === "model" ? "assistant" : "user";
	const span = request.list.elements[index];
	const entry = span && parseAt(request.bytes, span);
	return isRecord(entry) ? textOf(entry.role) : "";
}
