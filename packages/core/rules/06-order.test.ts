import { expect, test } from "vitest";
import { componentOf, type Episode } from "../graph/graph.ts";
import type { Strip } from "../log/pass.ts";
import { evictableIn } from "../planning/evictable.ts";
import { paperAdapted } from "../policies/paper.ts";
import { everyItem, isClosedAndPast, isLoopReasoning, levelOf, sentIds } from "../test-support/inspection.ts";
import { forEveryRequestUnder, type Request, whereThinkingStays } from "../test-support/simulation.ts";
import { type Item, isBlank } from "../transcript/transcript.ts";

const adapted = { policies: [paperAdapted], thinking: whereThinkingStays };
const ranks = ["act", "expl", "unannotated"];

test("rule 6: acts come before expls, what nobody marked comes last, each oldest first", () => {
	forEveryRequestUnder(adapted, ({ graph, messages, pass }) => {
		// Reasoning and blank texts wait for what they led to, so a strip that pays only with these may come in a later round.
		const waiting = new Map(
			everyItem(messages)
				.filter((item) => item.type === "reasoning" || isBlank(item))
				.map(({ id, tokens }) => [id, tokens]),
		);
		const paysAtOnce = ({ items, tokens, marker }: Strip) =>
			items.reduce((sum, id) => sum - (waiting.get(id) ?? 0), tokens) > (marker?.tokens ?? 0);
		const inTurn = strippedEpisodes(graph.episodes, pass?.strips.filter(paysAtOnce));
		const places = inTurn.map((episode) => [
			ranks.indexOf(componentOf(graph, episode)),
			graph.episodes.indexOf(episode),
		]);
		expect(places).toEqual(places.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
	});
});

test("rule 6: no expl is touched while a closed act could still go", () => {
	forEveryRequestUnder(adapted, (request) => {
		const { graph, pass } = request;
		const touched = strippedEpisodes(graph.episodes, pass?.strips);
		if (touched.every((episode) => componentOf(graph, episode) === "act")) return;
		for (const episode of graph.episodes) {
			if (componentOf(graph, episode) !== "act" || !isClosedAndPast(graph, episode)) continue;
			expect(levelsLeft(request, episode)).toEqual([]);
		}
	});
});

test("rule 6: every level is used up before the next one, and the last strip is the only one cut short", () => {
	forEveryRequestUnder(adapted, (request) => {
		const stripped = strippedEpisodes(request.graph.episodes, request.pass?.strips);
		for (const episode of stripped) {
			const left = levelsLeft(request, episode);
			const reached = request.pass?.strips.find((strip) => strip.episode === episode.id)?.level ?? 4;
			if (episode !== stripped.at(-1)) expect(left.filter((level) => level < 4)).toEqual([]);
			// An episode that an earlier pass took to a high level begins again at the lowest with what is new to strip.
			if (request.before.episodes.has(episode.id)) continue;
			expect(left.filter((level) => level < reached)).toEqual([]);
		}
	});
});

function strippedEpisodes(episodes: readonly Episode[], strips: readonly Strip[] = []): readonly Episode[] {
	return strips.flatMap((strip) => episodes.find((episode) => episode.id === strip.episode) ?? []);
}

/** The levels at which something of this episode is still there to be stripped. */
function levelsLeft(request: Request, episode: Episode): readonly number[] {
	const sent = sentIds(request);
	const isEvictable = evictableIn(request.graph);
	const callOf = (item: Item) =>
		episode.items.find(({ id }) => id === request.graph.callOf.get(item.id)) ?? item;
	return episode.items
		.filter((item) => sent.has(item.id) && isEvictable(item) && isEvictable(callOf(item)))
		.filter((item) => !isLoopReasoning(request.graph, item))
		.map((item) => levelOf(request.graph, episode, item));
}
