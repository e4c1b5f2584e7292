import { expect, test } from "vitest";
import { everyItem, sentIds } from "../test-support/inspection.ts";
import { fellBack } from "../test-support/rule-checks.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 7: levels only rise and the detail of an output only goes down, in the log as in the view", () => {
	forEveryRequest(({ before, view, pass }) => {
		expect(fellBack(before, view)).toEqual([]);
		for (const { episode, level } of pass?.strips ?? []) {
			expect(level).toBeGreaterThanOrEqual(before.episodes.get(episode)?.level ?? 1);
		}
		for (const { item, age } of pass?.fades ?? []) {
			expect(age).toBeGreaterThan(before.faded.get(item)?.age ?? 0);
		}
	});
});

test("rule 7: what was evicted does not come back", () => {
	let evicted = new Set<string>();
	forEveryRequest((request, previous) => {
		if (!previous) evicted = new Set();
		const sent = sentIds(request);
		for (const id of evicted) expect(sent.has(id)).toBe(false);
		for (const { id } of everyItem(request.messages)) if (!sent.has(id)) evicted.add(id);
	});
});
