import { expect } from "vitest";
import { viewAfter, viewOfLog } from "../log/view.ts";
import { paper } from "../policies/paper.ts";
import { leftTooEarly } from "../test-support/rule-checks.ts";
import { rule, ruleUnder, whereThinkingStays } from "../test-support/simulation.ts";

export const rule5 = [
	rule(
		"rule 5: an expl is not removed before every act that declared it has gone, under every policy",
		({ graph, before, view, pass }) => {
			if (pass) expect(leftTooEarly(graph, before.episodes, view.episodes, pass)).toEqual([]);
		},
	),
	ruleUnder(
		{ policies: [paper], thinking: whereThinkingStays },
		"rule 5: an expl is neither stripped nor removed before every act that declared it has gone",
		({ graph, log, pass }) => {
			if (!pass) return;
			let sofar = viewOfLog(log.slice(0, -1));
			for (const strip of pass.strips) {
				for (const dependent of graph.episodes) {
					if (!dependent.dependencies.includes(strip.episode)) continue;
					expect(sofar.episodes.get(dependent.id)?.level).toBe(4);
				}
				sofar = viewAfter(sofar, { ...pass, strips: [strip] });
			}
		},
	),
];
