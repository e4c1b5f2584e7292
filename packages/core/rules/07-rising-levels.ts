import { expect } from "vitest";
import { everyItem, sentIds } from "../test-support/inspection.ts";
import { fellBack } from "../test-support/rule-checks.ts";
import { rule } from "../test-support/simulation.ts";

let evicted = new Set<string>();
export const rule7 = [
	rule(
		"rule 7: levels only rise and the detail of an output only goes down, in the log as in the view",
		({ before, view, pass }) => {
			expect(fellBack(before, view)).toEqual([]);
			for (const { episode, level } of pass?.strips ?? []) {
				expect(level).toBeGreaterThanOrEqual(before.episodes.get(episode)?.level ?? 1);
			}
			for (const { item, form } of pass?.reductions ?? []) {
				expect(form).toBeGreaterThan(before.reduced.get(item)?.form ?? 0);
			}
		},
	),
	rule("rule 7: what was evicted does not come back", (request, previous) => {
		if (!previous) evicted = new Set();
		const sent = sentIds(request);
		expect([...evicted].filter((id) => sent.has(id))).toEqual([]);
		for (const { id } of everyItem(request.messages)) if (!sent.has(id)) evicted.add(id);
	}),
];
