/** Passes that a person asks for: down to low water, over one episode, or to put other descriptions into lines. */
import { type Episode, type EpisodeId, findEpisodes, type Graph } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import { changesContext, type IndexLine, type Pass, type Strip } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { redescribe } from "../projection/episode-lines.ts";
import { rollUpText } from "../projection/roll-up.ts";
import { createEpisodeEviction, draftPass } from "./eviction.ts";
import { lowWaterOf } from "./limits.ts";
import { newPass } from "./make-pass.ts";
import { planPass } from "./plan.ts";
import type { PlanInput, Policy } from "./policy.ts";
import { forfeitThinking } from "./thinking.ts";

/** The policy name of a pass that the user asked for. */
export const MANUAL_PASS = "by hand";

/** A pass down to low water although none is due; undefined at low water, and when nothing may leave. */
export function planManualPass(policy: Policy, input: PlanInput): Pass | undefined {
	const { budget } = input;
	const lowWater = lowWaterOf(policy, input);
	const now = policy.limits ? { ...input, lowWaterTokens: lowWater } : { ...input, budget: lowWater };
	const pass = planPass(policy, now);
	if (!pass || !changesContext(pass)) return undefined;
	const { decision: _, ...taken } = pass;
	return { ...taken, policy: MANUAL_PASS, budget };
}

/**
 * A pass over one episode: its calls with their results, old reasoning, and all of it once nothing holds it any more
 * (open, in the exchange in progress, declared by an act that is still there). Undefined when nothing may leave.
 */
export function planEpisode(input: PlanInput, episode: Episode): Pass | undefined {
	const before = totalTokens(input);
	const draft = draftPass(input, before);
	const { visible, eviction, isEvictable, isRemovable } = draft;
	for (const unit of visible.unitsOf(episode)) {
		if (unit.isWork && isEvictable(unit.call)) eviction.takeUnit(unit);
	}
	const reasoning = visible.restOf(episode).filter((item) => item.type === "reasoning" && isRemovable(item));
	eviction.take(episode, reasoning, 1);
	const closer = createEpisodeEviction(draft);
	closer.close(episode);
	closer.setLines();
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const sizes = { before, after: eviction.total() };
	return forfeitThinking(input, newPass(input, MANUAL_PASS, sizes, { strips }));
}

/** The descriptions by episode; "" for none. */
export type Descriptions = ReadonlyMap<EpisodeId, string>;

/** The graph with these descriptions. */
export function withDescriptions(graph: Graph, descriptions: Descriptions): Graph {
	if (descriptions.size === 0) return graph;
	const episodes = graph.episodes.map((episode) => {
		const description = descriptions.get(episode.id);
		return description === undefined ? episode : { ...episode, description: description || undefined };
	});
	return { ...graph, episodes };
}

/**
 * The pass that puts new descriptions into the lines which stand for evicted episodes already; undefined when no line
 * changes. It takes nothing, and may make the context larger: a person asked for it.
 */
export function planDescriptions(input: PlanInput, descriptions: Descriptions): Pass | undefined {
	const { graph, view } = input;
	const strips = graph.episodes.flatMap(({ id, description }): readonly Strip[] => {
		const { level, marker } = view.episodes.get(id) ?? {};
		const next = descriptions.get(id);
		if (!level || !marker || next === undefined) return [];
		const text = redescribe(marker.text, description, next);
		if (text === undefined || text === marker.text) return [];
		const line = { anchor: marker.anchor, text, tokens: input.countMarker(text) };
		return [{ episode: id, level, items: [], tokens: 0, marker: line }];
	});
	const indexLines = describeIndexLines(input, descriptions);
	if (strips.length + indexLines.length === 0) return undefined;
	return makeManualPass(input, { strips, ...(indexLines.length > 0 && { indexLines }) });
}

/** The pass of a command that puts these parts into force, with the sizes before and after it. */
export function makeManualPass(
	input: PlanInput,
	parts: Pick<Pass, "strips" | "indexLines" | "releases">,
): Pass {
	const before = totalTokens(input);
	const pass = newPass(input, MANUAL_PASS, { before, after: before }, parts);
	const after = totalTokens({ ...input, view: viewAfter(input.view, pass) });
	return forfeitThinking(input, { ...pass, after });
}

/** The lines of groups whose extracts change with the descriptions; each stays within the size that it had. */
function describeIndexLines(input: PlanInput, descriptions: Descriptions): readonly IndexLine[] {
	const graph = withDescriptions(input.graph, descriptions);
	return input.view.indexLines.flatMap((line): readonly IndexLine[] => {
		if (!line.episodes.some((id) => descriptions.has(id))) return [];
		const records = findEpisodes(graph, line.episodes);
		const { anchor, tokens } = line.marker;
		const text = rollUpText(records, input.countMarker, tokens);
		if (records.length < 2 || text === line.marker.text) return [];
		return [{ episodes: line.episodes, marker: { anchor, text, tokens: input.countMarker(text) } }];
	});
}
