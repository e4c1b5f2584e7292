/** Free-text search for a recall: as it stands first, then all of its words; case never matters. */
import { characterBefore, lineStart } from "../codec/cut-points.ts";

/** A stretch of a text, in characters; `to` is not part of it. */
export interface Range {
	readonly from: number;
	readonly to: number;
}

/** Where a text has what is searched for, with the lines around it; nothing when it has not. */
export type Search = (text: string) => readonly Range[];

/** Lines shown before and after a hit. */
const CONTEXT_LINES = 3;
/** The maximum length of the text before and after a hit, in characters. */
const CONTEXT_CHARACTERS = 600;
/** Hits beyond these are not shown of one text. */
const MAX_HITS = 50;

/** The whole query as it stands. */
export function searchLiteral(query: string): Search {
	return searchPattern(patternOf(query));
}

/** The same, where it is no part of a longer name. */
export function searchWholeWord(query: string): Search {
	return searchPattern(new RegExp(`(?<![\\w$])${patternOf(query).source}(?![\\w$])`, "giu"));
}

function searchPattern(pattern: RegExp): Search {
	return (text) => {
		const hits: Range[] = [];
		for (const match of text.matchAll(pattern)) {
			if (match[0] === "" || hits.length === MAX_HITS) break;
			hits.push({ from: match.index, to: match.index + match[0].length });
		}
		return withContext(text, hits);
	};
}

/** All words of the query, anywhere in the text: the lines that hold most of them. */
export function searchWords(query: string): Search {
	const patterns = [...new Set(query.split(/\s+/).filter(Boolean))].map(patternOf);
	return (text) => {
		if (patterns.length === 0 || patterns.some((pattern) => text.search(pattern) < 0)) return [];
		const lines = linesOf(text).map((line) => findWords(text, line, patterns));
		const most = lines.reduce((max, { words }) => Math.max(max, words), 0);
		const best = lines.filter(({ words }) => words === most).slice(0, MAX_HITS);
		return withContext(text, best);
	};
}

/** How many of the words a line has, and where the first of them stands. */
function findWords(text: string, { from, to }: Range, patterns: readonly RegExp[]) {
	const line = text.slice(from, to);
	const starts = patterns.map((pattern) => line.search(pattern)).filter((start) => start >= 0);
	const first = from + Math.min(line.length, ...starts);
	return { words: starts.length, from: first, to: first };
}

function patternOf(literal: string): RegExp {
	return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

function linesOf(text: string): readonly Range[] {
	const lines: Range[] = [];
	let from = 0;
	for (const line of text.split("\n")) {
		lines.push({ from, to: from + line.length });
		from += line.length + 1;
	}
	return lines;
}

/** The lines around each hit, joined where they meet. The hits come in order. */
function withContext(text: string, hits: readonly Range[]): readonly Range[] {
	const ranges: Range[] = [];
	for (const hit of hits) {
		const range = { from: startBefore(text, hit.from), to: endAfter(text, hit.to) };
		const last = ranges.at(-1);
		if (last && range.from <= last.to + 1) {
			ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
		} else ranges.push(range);
	}
	return ranges;
}

function startBefore(text: string, at: number): number {
	const least = characterBefore(text, Math.max(0, at - CONTEXT_CHARACTERS));
	let from = lineStart(text, at);
	if (from < least) return least;
	for (let lines = 0; lines < CONTEXT_LINES && from > 0; lines++) {
		const earlier = lineStart(text, from - 1);
		if (earlier < least) break;
		from = earlier;
	}
	return from;
}

function endAfter(text: string, at: number): number {
	const most = characterBefore(text, Math.min(text.length, at + CONTEXT_CHARACTERS));
	let to = lineEnd(text, at);
	if (to > most) return most;
	for (let lines = 0; lines < CONTEXT_LINES && to < text.length; lines++) {
		const later = lineEnd(text, to + 1);
		if (later > most) break;
		to = later;
	}
	return to;
}

function lineEnd(text: string, at: number): number {
	const end = text.indexOf("\n", at);
	return end < 0 ? text.length : end;
}
