/**
 * Pages of a recall: cut to fit a bound in tokens, between lines wherever a line fits at all, and framed by a labeled line
 * above each text that no text can pose as.
 */
import { type CountTokens, characterBefore, lineStart } from "#basics";
import type { Image } from "../codec/host-message.ts";
import { IMAGE_TOKENS } from "../codec/tokens.ts";
import type { Range } from "./search.ts";

/** A part of a text under a label of one line, or an image and no text. */
export interface Entry extends Range {
	readonly label: string;
	readonly text: string;
	readonly image?: Image;
}

export const noText = { text: "", from: 0, to: 0 };

/** Tokens of a line and of a label in addition to their words: line end, fence, line numbers. */
const LINE_TOKENS = 1;
const LABEL_TOKENS = 40;
/** Less room than this at the foot of a page is left empty. */
const MIN_ROOM = 100;
/** Lines that hold more characters for each token of room are cut without counting them first. */
const MAX_CHARACTERS = 8;

/**
 * Pages of at most `bound` tokens each, at least one page; the bound leaves room for any label. Every character of
 * every entry is on one of them, but for the line ends at which a page turns.
 */
export function paginate(
	entries: readonly Entry[],
	bound: number,
	count: CountTokens,
): readonly (readonly Entry[])[] {
	const pages: Entry[][] = [[]];
	let room = bound;
	const turnPage = () => {
		if (pages.at(-1)?.length) pages.push([]);
		room = bound;
	};
	for (const entry of entries) {
		const head = count(entry.label) + LABEL_TOKENS;
		let rest: Entry | undefined = entry;
		while (rest) {
			if (room < head + (rest.image ? IMAGE_TOKENS : MIN_ROOM)) turnPage();
			const { to, tokens, isWhole }: Piece = takePiece(rest, room - head, count);
			if (!isWhole && room < bound) {
				turnPage();
				continue;
			}
			pages.at(-1)?.push({ ...rest, to });
			room -= head + tokens;
			// The line end between two pieces is on neither page.
			rest = to < rest.to ? { ...rest, from: rest.text[to] === "\n" ? to + 1 : to } : undefined;
		}
	}
	return pages;
}

interface Piece {
	readonly to: number;
	readonly tokens: number;
	/** False when it ends inside a line. */
	readonly isWhole: boolean;
}

/** Takes an image, as many lines as fit, or the beginning of a line that does not fit by itself. */
function takePiece({ text, from, to, image }: Entry, room: number, count: CountTokens): Piece {
	if (image) return { to, tokens: IMAGE_TOKENS, isWhole: true };
	let end: number | undefined;
	let tokens = 0;
	for (let start = from; start <= to; ) {
		const found = text.indexOf("\n", start);
		const lineEnd = found < 0 || found > to ? to : found;
		if (lineEnd - start > room * MAX_CHARACTERS) break;
		const cost = count(text.slice(start, lineEnd)) + LINE_TOKENS;
		if (tokens + cost > room) break;
		tokens += cost;
		end = lineEnd;
		start = lineEnd + 1;
	}
	if (end === undefined) return takeCharacters(text, from, to, room, count);
	return { to: end, tokens, isWhole: true };
}

function takeCharacters(text: string, from: number, to: number, room: number, count: CountTokens): Piece {
	for (let length = Math.min(to - from, room * MAX_CHARACTERS); ; length = Math.floor(length / 2)) {
		// Two, so that a pair of surrogates stays whole.
		const end = characterBefore(text, Math.min(to, from + Math.max(2, length)));
		const tokens = count(text.slice(from, end)) + LINE_TOKENS;
		if (tokens <= room || length <= 2) return { to: end, tokens, isWhole: false };
	}
}

/** Each entry under a line of its own, which begins as no line of the page does. */
export function framePage(entries: readonly Entry[]): string {
	const fence = fenceFor(entries.map(({ text, from, to }) => text.slice(from, to)));
	const lines = entries.map((entry) => {
		const { label, text, from, to, image } = entry;
		if (image) return `${fence} ${label}`;
		return `${fence} ${label}, ${text === "" ? "no text" : `${rangeOf(entry)}\n${text.slice(from, to)}`}`;
	});
	return [...lines, fence].join("\n");
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
function rangeOf({ text, from, to }: Entry): string {
	const first = 1 + countLineEnds(text, 0, from);
	const last = first + countLineEnds(text, from, to);
	const lines = `lines ${first}-${last} of ${last + countLineEnds(text, to, text.length)}`;
	const start =
		from > 0 && text[from - 1] !== "\n" ? ` from character ${from - lineStart(text, from) + 1}` : "";
	const end = to < text.length && text[to] !== "\n" ? ` to character ${to - lineStart(text, to)}` : "";
	return start || end ? `${lines}, cut${start}${end}` : lines;
}

function countLineEnds(text: string, from: number, to: number): number {
	return text.slice(from, to).split("\n").length - 1;
}
