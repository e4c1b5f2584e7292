/** Descriptions that a person wrote in place of the model's. */

import type { EpisodeId, Graph } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import type { Pass, Strip } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { MANUAL_PASS } from "../planning/manual-pass.ts";
import type { PlanInput } from "../planning/policy.ts";
import { forfeitThinking } from "../thinking/forfeit.ts";
import { redescribe } from "./markers.ts";

/** By episode; "" for none. */
export type Descriptions = ReadonlyMap<EpisodeId, string>;

/** The graph with these descriptions. */
export function withDescriptions<G extends Graph>(graph: G, descriptions: Descriptions): G {
	if (descriptions.size === 0) return graph;
	const episodes = graph.episodes.map((episode) => {
		const description = descriptions.get(episode.id);
		return description === undefined ? episode : { ...episode, description: description || undefined };
	});
	return { ...graph, episodes };
}

/**
 * The pass that puts new descriptions into the lines which stand for evicted episodes already; undefined when none of
 * them has a line of its own. It takes nothing, and may make the context larger: a person asked for it.
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
	if (strips.length === 0) return undefined;
	const before = totalTokens(graph, view, fixed);
	const pass: Pass = { version: 1, policy: MANUAL_PASS, budget, before, after: before, strips, blockers: [] };
	return forfeitThinking(input, { ...pass, after: totalTokens(graph, viewAfter(view, pass), fixed) });
}
