/**
 * The episode index: lines of evicted episodes, the oldest of them folded in groups, and groups in groups, so that
 * what stays of a long session is bounded. All of it stands in one block after the prologue.
 */
import { type EpisodeId, findEpisodes, type Graph } from "../graph/graph.ts";
import type { IndexLine, Strip } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import { countFiles } from "../projection/episode-lines.ts";
import { rollUpText } from "../projection/roll-up.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

/** The share of the budget that all lines together may take. */
export const MAX_LINES_SHARE = 0.08;
/**
 * How much of that folding leaves. The block stands before everything else, so each change of it rewrites the
 * provider's whole cache: it changes rarely, and then by much.
 */
const LEFT_SHARE = 0.5;
const GROUP = 8;
/** A group is chosen among as many of the oldest lines, so that lines about one folder meet without mixing ages much. */
const WINDOW = 2 * GROUP;
/** The share of its group's tokens that a line may take, so that detail reductions with age. */
const MAX_KEPT_SHARE = 0.7;
/** Tried in turn where the lines would stay too large; with 0, lines have names and files only. */
const LESSER_SHARES = [0.5, 0.25, 0];
/** The share of their room that lines with extracts may fill; the rest is for the lines of the next passes. */
const FILLED_SHARE = 0.75;

/** A line as it stands: of one episode, or of a group. */
interface Line {
	readonly episodes: readonly EpisodeId[];
	readonly tokens: number;
	/** 0 for an episode, 1 for a group of episodes, 2 for a group of groups. */
	readonly depth: number;
	/** The place among all lines; lines of groups have that of their oldest line. */
	readonly order: number;
}

interface GroupInput extends Pick<PlanInput, "graph" | "countMarker"> {
	/** The item that all lines of groups are anchored to; undefined in an empty session. */
	readonly anchor: Item | undefined;
}

export interface IndexPlan {
	/** The lines of groups that this pass adds, in order. */
	readonly lines: readonly IndexLine[];
	/** Tokens that they save. */
	readonly saved: number;
}

/**
 * Puts the lines that a pass leaves into groups, oldest first, once they exceed their share of the budget. The lines give
 * up extracts where they would otherwise not save `needed` tokens.
 */
export function planIndexLines(input: PlanInput, strips: readonly Strip[], needed = 0): IndexPlan {
	const most = MAX_LINES_SHARE * input.budget;
	const lines = readLines(input.graph, input.view, strips);
	const before = sumTokens(lines);
	if (before <= most) return { lines: [], saved: 0 };
	const target = Math.min(FILLED_SHARE * most, before - needed);
	const { graph, countMarker } = input;
	const scene = { graph, anchor: graph.episodes[0]?.items[0], countMarker };
	let grouped = groupLines(scene, lines, most, MAX_KEPT_SHARE);
	for (const share of LESSER_SHARES) {
		if (grouped.left <= target) break;
		grouped = groupLines(scene, lines, most, share);
	}
	return { lines: grouped.added, saved: before - grouped.left };
}

/** The lines of groups, and the tokens of all lines that are left then. */
function groupLines(input: GroupInput, before: readonly Line[], most: number, keptShare: number) {
	const scopeOf = createScopes(input.graph);
	const added: IndexLine[] = [];
	/** The lines of each depth, oldest first. */
	const byDepth = new Map<number, Line[]>();
	for (const line of before) addLine(byDepth, line);
	let left = sumTokens(before);
	while (left > LEFT_SHARE * most) {
		const lines = largestOf([...byDepth.values()]);
		const oldest = lines?.splice(0, WINDOW) ?? [];
		const group = chooseGroup(oldest, scopeOf);
		const size = sumTokens(group);
		const made = makeIndexLine(input, group, keptShare * size);
		if (!made || made.marker.tokens >= size) break;
		added.push(made);
		lines?.unshift(...oldest.filter((line) => !group.includes(line)));
		const line = { episodes: made.episodes, tokens: made.marker.tokens, depth: depthOf(made) };
		// The line takes the place of the oldest one that it stands for.
		addLine(byDepth, { ...line, order: group[0]?.order ?? 0 });
		left += line.tokens - size;
	}
	return { added, left };
}

function addLine(byDepth: Map<number, Line[]>, line: Line) {
	const lines = byDepth.get(line.depth) ?? [];
	lines.splice(lines.findLastIndex(({ order }) => order < line.order) + 1, 0, line);
	byDepth.set(line.depth, lines);
}

/** The lines that take most, of those that are several; of equals those whose oldest line is older. */
function largestOf(lists: readonly Line[][]): Line[] | undefined {
	const several = lists
		.filter(({ length }) => length > 1)
		.map((lines) => ({ lines, tokens: sumTokens(lines), order: lines[0]?.order ?? 0 }));
	return several.toSorted((a, b) => b.tokens - a.tokens || a.order - b.order)[0]?.lines;
}

function readLines(graph: Graph, view: View, strips: readonly Strip[]): readonly Line[] {
	const made = new Map(strips.map((strip) => [strip.episode, strip]));
	const grouped = view.indexLines.map((line) => ({
		episodes: line.episodes,
		tokens: line.marker.tokens,
		depth: depthOf(line),
	}));
	const lined = findEpisodes(graph, [...made.keys(), ...view.episodes.keys()]);
	const single = lined.flatMap(({ id }) => {
		const known = view.episodes.get(id);
		const marker = made.get(id)?.marker ?? known?.marker;
		// A line about some calls of an episode that stays is no line of the index.
		const isEvicted = (made.get(id)?.level ?? known?.level) === 4;
		return marker && isEvicted ? [{ episodes: [id], tokens: marker.tokens, depth: 0 }] : [];
	});
	return [...grouped, ...single].map((line, order) => ({ ...line, order }));
}

function depthOf({ episodes }: Pick<IndexLine, "episodes">): number {
	let depth = 1;
	for (let size = GROUP; size < episodes.length; size *= GROUP) depth += 1;
	return depth;
}

/** Up to eight of these lines, which are the oldest of their depth: those about the same folder as the very oldest first. */
function chooseGroup(oldest: readonly Line[], scopeOf: (line: Line) => string): readonly Line[] {
	const [first, ...others] = oldest;
	if (!first) return [];
	const isRelated = (line: Line) => scopeOf(line) === scopeOf(first);
	const ranked = others.toSorted((a, b) => Number(isRelated(b)) - Number(isRelated(a)));
	const chosen = new Set([first, ...ranked.slice(0, GROUP - 1)]);
	return oldest.filter((line) => chosen.has(line));
}

/** The folder that the calls of a line's episodes worked in most; "" without any. */
function createScopes(graph: Graph): (line: Line) => string {
	const scopes = new Map<Line, string>();
	return (line) => {
		const earlier = scopes.get(line);
		if (earlier !== undefined) return earlier;
		const counts = new Map<string, number>();
		for (const { items } of findEpisodes(graph, line.episodes)) {
			for (const [path, count] of countFiles(items).worked) {
				const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
				counts.set(folder, (counts.get(folder) ?? 0) + count);
			}
		}
		const scope = [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
		scopes.set(line, scope);
		return scope;
	};
}

function makeIndexLine(
	{ graph, anchor, countMarker }: GroupInput,
	group: readonly Line[],
	room: number,
): IndexLine | undefined {
	const ids = new Set(group.flatMap(({ episodes }) => episodes));
	const episodes = findEpisodes(graph, ids);
	if (episodes.length < 2 || !anchor) return undefined;
	const text = rollUpText(episodes, countMarker, room);
	// A line stands for all that its group stood for, also for what the host has compacted away since.
	const found = new Set(episodes.map(({ id }) => id));
	const lost = [...ids].filter((id) => !found.has(id));
	return {
		episodes: [...lost, ...episodes.map(({ id }) => id)],
		marker: { anchor: anchor.id, text, tokens: countMarker(text) },
	};
}
