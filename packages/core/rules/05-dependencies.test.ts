import { expect, test } from "vitest";
import { createViewBuilder } from "../log/view.ts";
import { paper } from "../policies/paper.ts";
import { anySession } from "../test-support/sessions.ts";
import { forEveryRequest, whereThinkingStays } from "../test-support/simulation.ts";

test("rule 5: an expl is not removed before every act that declared it has gone, under every policy", () => {
	forEveryRequest(({ graph, before, view, pass }) => {
		for (const { episode, level } of pass?.strips ?? []) {
			// An act may declare an expl that has left already.
			if (level !== 4 || before.episodes.get(episode)?.level === 4) continue;
			const dependents = graph.episodes.filter(({ dependencies }) => dependencies.includes(episode));
			for (const { id } of dependents) expect(view.episodes.get(id)?.level).toBe(4);
		}
	});
});

test("rule 5: an expl is neither stripped nor removed before every act that declared it has gone", () => {
	forEveryRequest(
		({ graph, log, pass }) => {
			if (!pass) return;
			const sofar = createViewBuilder();
			for (const earlier of log.slice(0, -1)) sofar.append(earlier);
			for (const strip of pass.strips) {
				for (const dependent of graph.episodes) {
					if (!dependent.dependencies.includes(strip.episode)) continue;
					expect(sofar.read().episodes.get(dependent.id)?.level).toBe(4);
				}
				sofar.append({ ...pass, strips: [strip] });
			}
		},
		anySession,
		[paper],
		whereThinkingStays,
	);
});
