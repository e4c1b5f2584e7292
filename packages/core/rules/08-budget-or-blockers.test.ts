import { expect, test } from "vitest";
import { recount } from "../test-support/inspection.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 8: a request is at or below the budget, or the pass before it names what blocks it", () => {
	forEveryRequest((request) => {
		const { pass, settings } = request;
		const isOver = recount(request) > settings.budget;
		expect((pass?.blockers ?? []).length > 0).toBe(isOver);
	});
});

test("rule 8: blockers account for every token that is left, largest first, each with a remedy", () => {
	forEveryRequest((request) => {
		const blockers = request.pass?.blockers ?? [];
		if (blockers.length === 0) return;
		const sizes = blockers.map((blocker) => blocker.tokens);
		expect(sizes.reduce((sum, tokens) => sum + tokens, 0)).toBe(recount(request));
		expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
		for (const { what, remedy } of blockers) expect([what, remedy]).not.toContain("");
	});
});
