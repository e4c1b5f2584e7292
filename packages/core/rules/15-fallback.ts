import { expect } from "vitest";
import { INFERRED_TOKENS } from "../graph/fold-state.ts";
import type { Episode } from "../graph/graph.ts";
import { changesContext } from "../log/pass.ts";
import { paper } from "../policies/paper.ts";
import { markerText } from "../projection/episode-lines.ts";
import { isClosedAndPast, isLoopReasoning, sentIds } from "../test-support/inspection.ts";
import { unmarkedSession } from "../test-support/sessions.ts";
import { countMarker, rule, ruleUnder } from "../test-support/simulation.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";

/** A pass over less than this share of the budget is not made where it would not meet the budget. */
const TOO_LITTLE = 0.05;

export const rule15 = [
	ruleUnder(
		{ sessions: unmarkedSession },
		"rule 15: without a single mark, a request meets the budget, or all that could go has gone or is not worth a pass",
		(request) => {
			const { graph, view, pass, settings } = request;
			if ((pass?.blockers ?? []).length === 0) return;
			const sent = sentIds(request);
			const left = graph.episodes
				.filter((each) => isClosedAndPast(graph, each))
				.map((episode) => ({
					episode,
					items: episode.items.filter((item) => sent.has(item.id) && !isLoopReasoning(graph, item)),
				}))
				.filter(({ items }) => items.length > 0);
			const reduced = (items: readonly Item[]) =>
				items.reduce((sum, { id }) => sum + (view.reduced.get(id)?.tokens ?? 0), 0);
			const lineOf = (episode: Episode) => countMarker(markerText(episode));
			if (request.policy === paper || (pass && changesContext(pass))) {
				// What an output has reduced to stays where the line in its place would be longer.
				const isShort = ({ episode, items }: (typeof left)[number]) =>
					reduced(items) > 0 && sumTokens(items) - reduced(items) <= lineOf(episode);
				expect(left.filter((each) => !isShort(each))).toEqual([]);
				return;
			}
			// Where an output has reduced, its line can go and not the whole.
			const tokens = left.reduce((sum, { items }) => sum + sumTokens(items) - reduced(items), 0);
			const lines = left.reduce((sum, { episode }) => sum + lineOf(episode), 0);
			expect(tokens - lines).toBeLessThanOrEqual(TOO_LITTLE * settings.budget);
		},
	),
	ruleUnder(
		{ sessions: unmarkedSession },
		"rule 15: inferred boundaries say that they are inferred",
		({ graph }) => {
			expect(graph.annotated).toBe(false);
			expect(graph.episodes.filter(({ origin }) => origin !== "inferred")).toEqual([]);
		},
	),
	rule(
		"rule 15: a run that nobody marked is open only at the end, and short but for its last exchange",
		({ graph }) => {
			const runs = graph.episodes.filter((episode) => episode.origin === "inferred");
			expect(runs.slice(0, -1).every((episode) => episode.state === "closed")).toBe(true);
			const sizes = runs.map(({ items }) => {
				const last = items.findLast((item) => item.type !== "result")?.message ?? 0;
				return sumTokens(items.filter((item) => item.message < last));
			});
			expect(Math.max(0, ...sizes)).toBeLessThan(INFERRED_TOKENS);
		},
	),
];
