/** Descriptions that a person wrote in place of the model's. */
import { type EpisodeId, findEpisodes, type Graph } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import type { IndexLine, Pass, Strip } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { redescribe } from "../projection/episode-lines.ts";
import { rollUpText } from "../projection/roll-up.ts";
import { MANUAL_PASS } from "./manual-pass.ts";
import type { PlanInput } from "./policy.ts";
import { forfeitThinking } from "./thinking.ts";

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
	const { graph, view, fixed, budget } = input;
	const strips = graph.episodes.flatMap(({ id, description }): readonly Strip[] => {
		const { level, marker } = view.episodes.get(id) ?? {};
		const next = descriptions.get(id);
		if (!level || !marker || next === undefined) return [];
		const text = redescribe(marker.text, description, next);
		if (text === undefined || text === marker.text) return [];
		const line = { anchor: marker.anchor, text, tokens: input.countMarker(text) };
		return [{ episode: id, level, items: [], tokens: 0, marker: line }];
	});
	const folds = describeIndexLines(input, descriptions);
	if (strips.length + folds.length === 0) return undefined;
	const before = totalTokens(graph, view, fixed);
	const parts = { strips, ...(folds.length > 0 && { folds }), blockers: [] };
	const pass: Pass = { version: 1, policy: MANUAL_PASS, budget, before, after: before, ...parts };
	return forfeitThinking(input, { ...pass, after: totalTokens(graph, viewAfter(view, pass), fixed) });
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
