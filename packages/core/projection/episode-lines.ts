/**
 * The lines that stay for evicted episodes: what they were, what they touched, and how to have them back. What a model
 * or a file name put into them is quoted and of bounded length, so that no line can pose as another.
 */
import { append, MAX_NAME_LENGTH, quote, quoteStart } from "#basics";
import { MAX_DESCRIPTION } from "../annotation/delimiter.ts";
import type { Episode } from "../graph/graph.ts";
import {
	digestOf,
	type FileView,
	type Item,
	type ToolCall,
	type ToolResult,
} from "../transcript/transcript.ts";

/** More file names make a line that costs more than it tells; where much was evicted, a name costs little of that. */
const MAX_FILES = { usual: 8, large: 16 };
/** An evicted episode counts as large from this size on, in tokens: sixteen names are about 1 % of it. */
const LARGE_TOKENS = 8_000;
/** The unit is characters. */
const MAX_PATH = 120;

/** The line that Algorithm 1 leaves of an expl: its description (paper 4.2). */
export function descriptionText({ name, description = "" }: Episode): string {
	return `[expl ${quotedName(name)}, evicted] ${said(description)}`;
}

/** The line of one episode. Its name is its handle. */
export function markerText(episode: Episode): string {
	const { kind, tokens, description } = episode;
	const handle = quotedName(episode.name);
	const most = tokens >= LARGE_TOKENS ? MAX_FILES.large : MAX_FILES.usual;
	const files = filesText([countFiles(episode.items)], most, rangesByFile(episode.items));
	const head = `[${kind} ${handle}, evicted ${kilo(tokens)}${files}; recall ${handle}]`;
	return description === undefined ? head : `${head} ${said(description)}`;
}

/** The line of an episode that stays, of which these items left first: it holds for later ones too. */
export function partText({ kind, name, state, origin }: Episode, items: readonly Item[]): string {
	const handle = quotedName(name);
	const open = state === "open" && origin === "declared" ? ", still open" : "";
	return `[${kind} ${handle}, evicted in part${open}${filesText([countFiles(items)])}; recall ${handle}]`;
}

function said(description: string): string {
	return quoteStart(description, MAX_DESCRIPTION);
}

/** A line of one episode with another description, "" for none; undefined when it does not end with the one before. */
export function redescribe(line: string, before: string | undefined, after: string): string | undefined {
	const end = before === undefined ? "" : said(before);
	if (!line.endsWith(end)) return undefined;
	const head = line.slice(0, line.length - end.length).trimEnd();
	if (!head.endsWith("]")) return undefined;
	return after === "" ? head : `${head} ${said(after)}`;
}

/** A line without its offer to recall what left, for agents without a tool for that. */
export function withoutRecall(line: string): string {
	return withRecallIf(line, undefined);
}

/** A line with a condition behind its offer to recall what left; without a condition, the line offers nothing. */
export function withRecallIf(line: string, condition: string | undefined): string {
	const isGroup = /^\[\d+ episodes, /.test(line);
	const [, handle] = /^\[(?:act|expl) (.+?), evicted /.exec(line) ?? [];
	if (!isGroup && handle === undefined) return line;
	const offer = `; recall ${isGroup ? "by name or file" : handle}`;
	const withoutOffer = { "]": "]", ": ": "; " };
	return Object.entries(withoutOffer).reduce(
		(text, [end, alone]) =>
			text.replace(`${offer}${end}`, () => (condition === undefined ? alone : `${offer} ${condition}${end}`)),
		line,
	);
}

/** A name in quotes, of bounded length. */
export function quotedName(name: string): string {
	return quoteStart(name, MAX_NAME_LENGTH);
}

/** How often files were named, in the order in which they came up. */
export interface FileCounts {
	/** Files that calls worked on. */
	readonly worked: ReadonlyMap<string, number>;
	/** Files that tools named in their outputs. */
	readonly shown: ReadonlyMap<string, number>;
}

/** How often these items name each file. */
export function countFiles(items: readonly Item[]): FileCounts {
	return {
		worked: countPaths(items.filter((item) => item.type === "call")),
		shown: countPaths(items.filter((item) => item.type === "result")),
	};
}

function countPaths(items: readonly (ToolCall | ToolResult)[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const path of items.flatMap((item) => digestOf(item)?.paths ?? [])) {
		counts.set(path, (counts.get(path) ?? 0) + 1);
	}
	return counts;
}

/**
 * Files that calls of these episodes worked on, the most often named first, then those that only outputs named; each with the
 * lines of it that were seen, where `ranges` has them.
 */
export function filesText(
	counts: readonly FileCounts[],
	most = MAX_FILES.usual,
	ranges: ReadonlyMap<string, string> = new Map(),
): string {
	const worked = byCount(counts.map(({ worked }) => worked));
	const shown = byCount(counts.map(({ shown }) => shown));
	const files = [...new Set([...worked, ...shown])].filter(isShort).slice(0, most);
	const texts = files.map((path) => [pathText(path), ranges.get(path)].filter(Boolean).join(":"));
	return texts.length > 0 ? `: ${texts.join(", ")}` : "";
}

/** Half a path names another file. */
function isShort(path: string): boolean {
	return path.length <= MAX_PATH;
}

function pathText(path: string): string {
	return /^[\w@~+./-]+$/.test(path) ? path : quote(path);
}

function byCount(parts: readonly ReadonlyMap<string, number>[]): readonly string[] {
	const counts = new Map<string, number>();
	for (const part of parts)
		for (const [path, count] of part) counts.set(path, (counts.get(path) ?? 0) + count);
	return [...counts].sort(([, a], [, b]) => b - a).map(([path]) => path);
}

/** Tokens as a line shows them. */
export function kilo(tokens: number): string {
	return tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`;
}

/** More ranges say little more than the stretch that holds them. */
const MAX_RANGES = 3;

type Range = readonly [first: number, last: number];

/** The ranges that calls asked for, by file; adjacent ones joined, at most three a file. */
export function rangesByFile(items: readonly Item[]): ReadonlyMap<string, string> {
	const ranges = new Map<string, Range[]>();
	for (const { path, first, last } of items.flatMap(viewsOf)) append(ranges, path, [first, last]);
	return new Map([...ranges].map(([path, of]) => [path, rangesText(of)]));
}

function viewsOf(item: Item): readonly FileView[] {
	return item.type === "call" ? (digestOf(item)?.views ?? []) : [];
}

/** Returns ranges such as `1-80 200-240`; a range up to the end of the file has no last line. */
function rangesText(ranges: readonly Range[]): string {
	const joined = joinClosest(joinAdjacent(ranges.toSorted(([a], [b]) => a - b)));
	return joined.map(([first, last]) => `${first}-${last === Infinity ? "" : last}`).join(" ");
}

function joinAdjacent(sorted: readonly Range[]): readonly Range[] {
	const joined: Range[] = [];
	for (const [first, last] of sorted) {
		const before = joined.at(-1);
		if (before && first <= before[1] + 1) joined[joined.length - 1] = [before[0], Math.max(before[1], last)];
		else joined.push([first, last]);
	}
	return joined;
}

/** Fills the smallest gaps until few enough ranges are left. */
function joinClosest(ranges: readonly Range[]): readonly Range[] {
	if (ranges.length <= MAX_RANGES) return ranges;
	const gaps = ranges.slice(1).map(([first], index) => first - (ranges[index]?.[1] ?? 0));
	const narrowest = gaps.indexOf(Math.min(...gaps));
	const joined = ranges.flatMap((range, index): readonly Range[] => {
		if (index === narrowest + 1) return [];
		return index === narrowest ? [[range[0], ranges[index + 1]?.[1] ?? range[1]]] : [range];
	});
	return joinClosest(joined);
}
