/** Edits of a JSON text that leave everything else byte for byte as it is. */
import type { ScannedArray, ScannedObject, Span } from "./json-scan.ts";

/** Puts a text in place of a range of bytes. */
export interface Edit extends Span {
	readonly text: string;
}

/** The bytes after all edits, which must not overlap. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer {
	if (edits.length === 0) return bytes;
	const pieces: Buffer[] = [];
	let at = 0;
	for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
		pieces.push(bytes.subarray(at, start), Buffer.from(text));
		at = end;
	}
	return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** Edits that leave out some elements, and add others behind the elements with these indexes. */
export function editElements(
	{ span, elements }: ScannedArray,
	isKept: (index: number) => boolean,
	added: ReadonlyMap<number, readonly string[]> = new Map(),
): readonly Edit[] {
	return editList(span, elements, isKept, added);
}

/** Edits that leave out the members with these keys. */
export function removeMembers({ span, members }: ScannedObject, keys: readonly string[]): readonly Edit[] {
	const isKept = (index: number) => !keys.includes(members[index]?.key ?? "");
	return editList(
		span,
		members.map(({ whole }) => whole),
		isKept,
		new Map(),
	);
}

/** Edits stand between elements only, so that the elements themselves can be edited too. */
function editList(
	{ start, end }: Span,
	elements: readonly Span[],
	isKept: (index: number) => boolean,
	added: ReadonlyMap<number, readonly string[]>,
): readonly Edit[] {
	const edits: Edit[] = [];
	/** The end of the last element that stays, or of the bracket. */
	let last = start + 1;
	let isFirst = true;
	let isGap = false;
	for (const [index, element] of elements.entries()) {
		if (isKept(index)) {
			if (isGap) edits.push({ start: last, end: element.start, text: isFirst ? "" : "," });
			last = element.end;
			isFirst = false;
			isGap = false;
		} else isGap = true;
		const texts = added.get(index) ?? [];
		if (texts.length === 0) continue;
		// What is added behind an element that goes takes its place.
		edits.push({
			start: last,
			end: isGap ? element.end : last,
			text: (isFirst ? "" : ",") + texts.join(","),
		});
		last = isGap ? element.end : last;
		isGap = false;
		isFirst = false;
	}
	if (isGap) edits.push({ start: last, end: end - 1, text: "" });
	return edits;
}
