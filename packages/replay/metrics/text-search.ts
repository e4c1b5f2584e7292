/** Where in a session a text stands, with white space and line numbers left out of the comparison. */
import type { Passage } from "../recording/passages.ts";

/** Prefixes that `read`, `grep -n`, `cat -n` and similar tools print before a line. */
const LINE_NUMBER = /^(?:[\w./@+~-]+[:-])?[ ]*\d+[→:\t-]/gm;

/** A text as it is compared. */
export function squash(text: string): string {
	// `replace` would answer a rope of pieces, which takes six times the memory until somebody flattens it.
	return text.replace(LINE_NUMBER, "").split(/\s+/).join("");
}

/** Finds the passages that show a text among the first `limit`. */
export type TextSearch = (squashed: string, limit: number) => readonly Passage[];

/** Prepare the passages for many searches. */
export function createTextSearch(passages: readonly Passage[]): TextSearch {
	const starts: number[] = [];
	let length = 0;
	const parts = passages.map(({ text }) => {
		const part = squash(text);
		starts.push(length);
		length += part.length + 1;
		return part;
	});
	// Squashed parts hold no white space, so no match can run across a line end.
	const joined = parts.join("\n");
	return (squashed, limit) => {
		const found: Passage[] = [];
		const end = starts[limit] ?? joined.length;
		let at = joined.indexOf(squashed);
		while (at >= 0 && at < end) {
			const index = lastAtMost(starts, at);
			const passage = passages[index];
			if (passage) found.push(passage);
			at = joined.indexOf(squashed, starts[index + 1] ?? joined.length);
		}
		return found;
	};
}

/** Index of the last value that is at most `limit`; the values ascend and the first one is. */
function lastAtMost(values: readonly number[], limit: number): number {
	let low = 0;
	let high = values.length - 1;
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((values[middle] ?? 0) <= limit) low = middle;
		else high = middle - 1;
	}
	return low;
}
