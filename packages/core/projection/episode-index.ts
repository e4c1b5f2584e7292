/**
 * The episode index: lines of evicted episodes, the oldest of them folded in groups, and groups in groups, so that
 * what stays of a long session is bounded. All of it stands in one block after the prologue.
 */
import { recordOf } from "../graph/evicted-episode.ts";
import type { EpisodeId, EvictedEpisode, Graph } from "../graph/graph.ts";
import type { IndexLine, Strip } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import type { PlanInput } from "../planning/policy.ts";
import { indexLineText } from "./markers.ts";

/** The share of the budget that all lines together may take. */
export const MAX_LINES_SHARE = 0.08;
/**
 * How much of that folding leaves. The block stands before everything else, so each change of it rewrites the
 * provider's whole cache: it changes rarely, and then by much.
 */
const LEFT_SHARE = 0.5;
const GROUP = 8;

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

/** Puts the lines that a pass leaves into groups, oldest first, once they exceed their share of the budget. */
export function planIndexLines(input: PlanInput, strips: readonly Strip[]): IndexPlan {
	const most = MAX_LINES_SHARE * input.budget;
	let lines = readLines(input.graph, input.view, strips);
	const before = sumLines(lines);
	if (before <= most) return { lines: [], saved: 0 };
	const added: IndexLine[] = [];
	while (sumLines(lines) > LEFT_SHARE * most) {
		const group = chooseGroup(lines);
		const made = makeIndexLine(input, group);
		if (!made || made.marker.tokens >= sumLines(group)) break;
		added.push(made);
		const [oldest] = group;
		const first = oldest ? lines.indexOf(oldest) : 0;
		const line = { episodes: made.episodes, tokens: made.marker.tokens, depth: depthOf(made) };
		lines = lines.filter((other) => !group.includes(other)).toSpliced(first, 0, line);
	}
	return { lines: added, saved: before - sumLines(lines) };
}

function readLines(graph: Graph, view: View, strips: readonly Strip[]): readonly Line[] {
	const made = new Map(strips.map(({ episode, marker }) => [episode, marker]));
	const grouped = view.indexLines.map((line) => ({
		episodes: line.episodes,
		tokens: line.marker.tokens,
		depth: depthOf(line),
	}));
	const single = graph.episodes.flatMap(({ id }): Line[] => {
		const marker = made.get(id) ?? view.episodes.get(id)?.marker;
		return marker ? [{ episodes: [id], tokens: marker.tokens, depth: 0 }] : [];
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

/** The oldest lines of the depth that takes most, so that detail fades with age. */
function chooseGroup(lines: readonly Line[]): readonly Line[] {
	const byDepth = new Map<number, Line[]>();
	for (const line of lines) {
		const known = byDepth.get(line.depth);
		if (known) known.push(line);
		else byDepth.set(line.depth, [line]);
	}
	const several = [...byDepth.values()].filter((same) => same.length > 1);
	const largest = several.toSorted((a, b) => sumLines(b) - sumLines(a))[0];
	return largest?.slice(0, GROUP) ?? [];
}

function makeIndexLine({ graph, countMarker }: PlanInput, group: readonly Line[]): IndexLine | undefined {
	const ids = new Set(group.flatMap(({ episodes }) => episodes));
	const episodes = findRecords(graph, ids);
	const anchor = graph.episodes[0]?.items[0];
	if (episodes.length < 2 || !anchor) return undefined;
	const text = indexLineText(episodes);
	// A line stands for all that its group stood for, also for what the host has compacted away since.
	const lost = [...ids].filter((id) => !episodes.some((episode) => episode.id === id));
	return {
		episodes: [...lost, ...episodes.map(({ id }) => id)],
		marker: { anchor: anchor.id, text, tokens: countMarker(text) },
	};
}

/** The records of these episodes, oldest first. */
function findRecords({ episodes, evicted }: Graph, ids: ReadonlySet<EpisodeId>): readonly EvictedEpisode[] {
	const held = episodes.filter(({ id }) => ids.has(id)).map(recordOf);
	const gone = [...ids].map((id) => evicted.get(id)).filter((record) => record !== undefined);
	return [...gone, ...held].toSorted((a, b) => a.place - b.place);
}
