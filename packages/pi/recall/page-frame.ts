/**
 * How a page of a recall is framed, a labeled line above each text that no text can pose as, and how a reader
 * takes the texts out again.
 */
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

function lineStart(text: string, at: number): number {
	return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

export interface RecalledText {
	/** Names the part of the session that the text belongs to. */
	readonly handle: string;
	/** The words after the handle: the call with its arguments where the text is the first of its part. */
	readonly words: string;
	/** Line numbers, from 1; 0 where there is no text. */
	readonly first: number;
	readonly last: number;
	readonly total: number;
	/** True if the text begins and ends inside a line. */
	readonly cutStart: boolean;
	readonly cutEnd: boolean;
	readonly text: string;
}

const HANDLE = /^"(?:[^"\\]|\\.)*"/;
const RANGE = /, lines (\d+)-(\d+) of (\d+)(?:, cut( from character \d+)?( to character \d+)?)?$/;

/** The texts of one page; nothing where the answer gives none. */
export function readRecalled(answer: string): readonly RecalledText[] {
	const lines = answer.split("\n");
	const fence = lines.findLast((line) => /^---\d*$/.test(line));
	if (fence === undefined) return [];
	const foot = lines.lastIndexOf(fence);
	const heads = lines.flatMap((line, at) => (at < foot && line.startsWith(`${fence} "`) ? [at] : []));
	return heads.flatMap((head, i) => {
		const label = lines[head]?.slice(fence.length + 1) ?? "";
		return readText(label, lines.slice(head + 1, heads[i + 1] ?? foot).join("\n"));
	});
}

/** The texts that these answers give back, a text that spans several pages joined. */
export function joinRecalled(answers: readonly string[]): readonly string[] {
	const texts: string[] = [];
	let before: RecalledText | undefined;
	for (const recalled of answers.flatMap(readRecalled)) {
		const { text, cutStart } = recalled;
		if (before && isContinued(before, recalled)) texts.push(`${texts.pop()}${cutStart ? "" : "\n"}${text}`);
		else texts.push(text);
		before = recalled;
	}
	return texts;
}

function isContinued(before: RecalledText, { handle, total, first, cutStart }: RecalledText): boolean {
	if (before.handle !== handle || before.total !== total) return false;
	return cutStart ? before.cutEnd && first === before.last : first === before.last + 1;
}

function readText(label: string, text: string): readonly RecalledText[] {
	const handle = HANDLE.exec(label)?.[0];
	const range = RANGE.exec(label);
	// An image has neither lines nor the want of them.
	if (handle === undefined || !(range || label.endsWith(", no text"))) return [];
	const [first = 0, last = 0, total = 0] = range?.slice(1, 4).map(Number) ?? [];
	return [
		{
			handle: String(JSON.parse(handle)),
			words: label.slice(handle.length, range?.index ?? label.length).trim(),
			...{ first, last, total, text },
			cutStart: range?.[4] !== undefined,
			cutEnd: range?.[5] !== undefined,
		},
	];
}
