/**
 * The episode index: lines of evicted episodes, the oldest of them folded in groups, and groups in groups, so that
 * what stays of a long session is bounded. All of it stands in one block after the prologue.
 */
import { recordOf } from "../graph/evicted-episode.ts";
import type { EpisodeId, EvictedEpisode, Graph } from "../graph/graph.ts";
import type { IndexLine, Strip } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import type { PlanInput } from "../planning/policy.ts";
import { rollUpText } from "./roll-up.ts";

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
/** The share of its group's tokens that a line may take, so that detail fades with age. */
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
	const before = sumLines(lines);
	if (before <= most) return { lines: [], saved: 0 };
	const target = Math.min(FILLED_SHARE * most, before - needed);
	let grouped = groupLines(input, lines, most, MAX_KEPT_SHARE);
	for (const share of LESSER_SHARES) {
		if (sumLines(grouped.left) <= target) break;
		grouped = groupLines(input, lines, most, share);
	}
	return { lines: grouped.added, saved: before - sumLines(grouped.left) };
}

interface Grouped {
	readonly added: readonly IndexLine[];
	readonly left: readonly Line[];
}

function groupLines(input: PlanInput, before: readonly Line[], most: number, keptShare: number): Grouped {
	const scopeOf = createScopes(input.graph);
	const added: IndexLine[] = [];
	let left = before;
	while (sumLines(left) > LEFT_SHARE * most) {
		const group = chooseGroup(left, scopeOf);
		const made = makeIndexLine(input, group, keptShare * sumLines(group));
		if (!made || made.marker.tokens >= sumLines(group)) break;
		added.push(made);
		const [oldest] = group;
		const first = oldest ? left.indexOf(oldest) : 0;
		const line = { episodes: made.episodes, tokens: made.marker.tokens, depth: depthOf(made) };
		left = left.filter((other) => !group.includes(other)).toSpliced(first, 0, line);
	}
	return { added, left };
}

function readLines(graph: Graph, view: View, strips: readonly Strip[]): readonly Line[] {
	const made = new Map(strips.map((strip) => [strip.episode, strip]));
	const grouped = view.indexLines.map((line) => ({
		episodes: line.episodes,
		tokens: line.marker.tokens,
		depth: depthOf(line),
	}));
	const single = graph.episodes.flatMap(({ id }): Line[] => {
		const known = view.episodes.get(id);
		const marker = made.get(id)?.marker ?? known?.marker;
		// A line about some calls of an episode that stays is no line of the index.
		const isEvicted = (made.get(id)?.level ?? known?.level) === 4;
		return marker && isEvicted ? [{ episodes: [id], tokens: marker.tokens, depth: 0 }] : [];
	});
	return [...grouped, ...single];
}

function depthOf({ episodes }: Pick<IndexLine, "episodes">): number {
	let depth = 1;
	for (let size = GROUP; size < episodes.length; size *= GROUP) depth += 1;
	return depth;
}

function sumLines(lines: readonly Line[]): number {
	return lines.reduce((sum, { tokens }) => sum + tokens, 0);
}

/**
 * Lines of the depth that takes most, so that detail fades with age: the oldest, those about the same folder as the very
 * oldest first.
 */
function chooseGroup(lines: readonly Line[], scopeOf: (line: Line) => string): readonly Line[] {
	const byDepth = new Map<number, Line[]>();
	for (const line of lines) {
		const known = byDepth.get(line.depth);
		if (known) known.push(line);
		else byDepth.set(line.depth, [line]);
	}
	const several = [...byDepth.values()].filter((same) => same.length > 1);
	const largest = several.toSorted((a, b) => sumLines(b) - sumLines(a))[0] ?? [];
	const oldest = largest.slice(0, WINDOW);
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
		const known = scopes.get(line);
		if (known !== undefined) return known;
		const counts = new Map<string, number>();
		for (const { files } of findRecords(graph, new Set(line.episodes))) {
			for (const [path, count] of files.worked) {
				const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
				counts.set(folder, (counts.get(folder) ?? 0) + count);
			}
		}
		const [scope = ""] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
		scopes.set(line, scope);
		return scope;
	};
}

function makeIndexLine(
	{ graph, countMarker }: PlanInput,
	group: readonly Line[],
	room: number,
): IndexLine | undefined {
	const ids = new Set(group.flatMap(({ episodes }) => episodes));
	const episodes = findRecords(graph, ids);
	const anchor = graph.episodes[0]?.items[0];
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

/** The records of these episodes, oldest first. */
export function findRecords(
	{ episodes, evicted }: Graph,
	ids: ReadonlySet<EpisodeId>,
): readonly EvictedEpisode[] {
	const held = episodes.filter(({ id }) => ids.has(id)).map(recordOf);
	const gone = [...ids].map((id) => evicted.get(id)).filter((record) => record !== undefined);
	return [...gone, ...held].toSorted((a, b) => a.place - b.place);
}
