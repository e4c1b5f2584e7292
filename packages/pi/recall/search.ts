/** Free-text search for a recall: the whole query first, then all of its words, then some of them; case never matters. */
import { characterBefore, lineStart } from "#basics";

/** A part of a text, in characters; `to` is not part of it. */
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

/** The whole query; as a word, only where it is no part of a longer name. */
export function searchLiteral(query: string, isWord = false): Search {
	const { source, flags } = patternOf(query);
	const pattern = isWord ? new RegExp(`(?<![\\w$])${source}(?![\\w$])`, flags) : new RegExp(source, flags);
	return (text) => {
		const hits: Range[] = [];
		for (const match of text.matchAll(pattern)) {
			if (match[0] === "" || hits.length === MAX_HITS) break;
			hits.push({ from: match.index, to: match.index + match[0].length });
		}
		return withContext(text, hits);
	};
}

/** The lines that hold most of some words; none where a text must have all words of the query, and lacks one. */
export function searchWords(query: string, needsAll = true): Search {
	const patterns = [...new Set(query.split(/\s+/).filter(Boolean))].map(patternOf);
	return (text) => {
		if (needsAll && patterns.some((pattern) => text.search(pattern) < 0)) return [];
		let next = 0;
		const lines = text.split("\n").map((line) => {
			const starts = patterns.map((pattern) => line.search(pattern)).filter((start) => start >= 0);
			const from = next + Math.min(line.length, ...starts);
			next += line.length + 1;
			return { words: starts.length, from, to: from };
		});
		const most = lines.reduce((max, { words }) => Math.max(max, words), 0);
		return withContext(text, lines.filter(({ words }) => words > 0 && words === most).slice(0, MAX_HITS));
	};
}

function patternOf(literal: string): RegExp {
	return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
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

/** The whole lines before a place that are shown; the end of its own line where that is too long. */
function startBefore(text: string, at: number): number {
	const least = characterBefore(text, Math.max(0, at - CONTEXT_CHARACTERS));
	const lines = text.slice(least, at).split("\n");
	if (lines.length > 1 && lineStart(text, least) < least) lines.shift();
	return at - lines.slice(-1 - CONTEXT_LINES).join("\n").length;
}

function endAfter(text: string, at: number): number {
	const most = characterBefore(text, Math.min(text.length, at + CONTEXT_CHARACTERS));
	const lines = text.slice(at, most).split("\n");
	if (lines.length > 1 && most < text.length && text[most] !== "\n") lines.pop();
	return at + lines.slice(0, 1 + CONTEXT_LINES).join("\n").length;
}

/** The unit is characters: among larger texts, a word says less the larger its text is. */
const USUAL_SIZE = 500;

/** Scores texts by the words that they hold, in any case: a rare word counts more, as the logarithm of how few texts hold it. */
export function scoreByWords(texts: readonly string[], words: readonly string[]): readonly number[] {
	const lower = texts.map((text) => text.toLowerCase());
	const weights = words.map((word) => {
		const holders = lower.filter((text) => text.includes(word)).length;
		return Math.log(texts.length / Math.max(1, holders));
	});
	return lower.map((text) => {
		const held = weights.filter((_weight, at) => text.includes(words[at] ?? ""));
		return held.reduce((sum, weight) => sum + weight, 0) / Math.log(USUAL_SIZE + text.length);
	});
}
