/** How a page of a recall is framed: a labeled line above each text that no text can pose as. */
import { lineStart } from "../codec/cut-points.ts";
import type { Entry, TextEntry } from "./paginate.ts";

/** Each entry under a line of its own, which begins as no line of the page does. */
export function framePage(entries: readonly Entry[]): string {
	const fence = fenceFor(entries.map((entry) => (entry.type === "text" ? shownOf(entry) : "")));
	const lines = entries.map((entry) => {
		if (entry.type === "image") return `${fence} ${entry.label}`;
		if (entry.text === "") return `${fence} ${entry.label}, no text`;
		return `${fence} ${entry.label}, ${rangeOf(entry)}\n${shownOf(entry)}`;
	});
	return [...lines, fence].join("\n");
}

function shownOf({ text, from, to }: TextEntry): string {
	return text.slice(from, to);
}

/** Three dashes, and a number where a line begins with them. */
function fenceFor(texts: readonly string[]): string {
	const suspects = texts.flatMap((text) => text.match(/^---.*/gm) ?? []);
	for (let number = 0; ; number += 1) {
		const fence = number === 0 ? "---" : `---${number}`;
		if (!suspects.some((line) => line.startsWith(fence))) return fence;
	}
}

/** Line numbers, and characters of a line that the page holds only in part. */
function rangeOf({ text, from, to }: TextEntry): string {
	const first = 1 + countLineEnds(text, 0, from);
	const last = first + countLineEnds(text, from, to);
	const lines = `lines ${first}-${last} of ${last + countLineEnds(text, to, text.length)}`;
	const start =
		from > 0 && text[from - 1] !== "\n" ? ` from character ${from - lineStart(text, from) + 1}` : "";
	const end = to < text.length && text[to] !== "\n" ? ` to character ${to - lineStart(text, to)}` : "";
	return start || end ? `${lines}, cut${start}${end}` : lines;
}

function countLineEnds(text: string, from: number, to: number): number {
	let lines = 0;
	for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) lines += 1;
	return lines;
}
