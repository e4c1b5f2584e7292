/** Turns line changes into edits whose old text occurs once, as the edit tool requires. */

import type { Action, Edit } from "./toolbox.ts";

/** Replaces the lines from `start` to `end`, both inclusive and counted from 0. */
export interface LineChange {
	readonly start: number;
	readonly end: number;
	readonly lines: readonly string[];
}

/** The call that changes a file whose whole text is visible. The changes must not overlap. */
export function changeFile(path: string, text: string, changes: readonly LineChange[]): Action {
	const lines = text.split("\n");
	const ordered = [...changes].sort((left, right) => left.start - right.start);
	const edits = mergeRanges(ordered.map((change) => widen(text, lines, change))).map(
		(range): Edit => ({
			oldText: lines.slice(range.start, range.end + 1).join("\n"),
			newText: rewrite(lines, range, ordered).join("\n"),
		}),
	);
	const whole = { start: 0, end: lines.length - 1 };
	return { type: "change", path, edits, result: rewrite(lines, whole, ordered).join("\n") };
}

interface Range {
	readonly start: number;
	readonly end: number;
}

/** Adds neighboring lines on both sides in turn, until the text occurs once in the file. */
function widen(text: string, lines: readonly string[], change: Range): Range {
	let { start, end } = change;
	while (start > 0 || end < lines.length - 1) {
		if (occursOnce(text, lines.slice(start, end + 1).join("\n"))) break;
		if (start > 0) start -= 1;
		if (end < lines.length - 1) end += 1;
	}
	return { start, end };
}

export function occursOnce(text: string, part: string): boolean {
	const first = text.indexOf(part);
	return part !== "" && first !== -1 && text.indexOf(part, first + 1) === -1;
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
	const merged: Range[] = [];
	for (const range of [...ranges].sort((left, right) => left.start - right.start)) {
		const last = merged.at(-1);
		if (!last || range.start > last.end) merged.push(range);
		else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
	}
	return merged;
}

function rewrite(lines: readonly string[], range: Range, changes: readonly LineChange[]): readonly string[] {
	const rewritten: string[] = [];
	let next = range.start;
	for (const change of changes) {
		if (change.start < range.start || change.end > range.end) continue;
		rewritten.push(...lines.slice(next, change.start), ...change.lines);
		next = change.end + 1;
	}
	return [...rewritten, ...lines.slice(next, range.end + 1)];
}
