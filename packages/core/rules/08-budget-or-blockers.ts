import { expect } from "vitest";
import { paper } from "../policies/paper.ts";
import { recount } from "../test-support/inspection.ts";
import { rule, ruleUnder } from "../test-support/simulation.ts";

export const rule8 = [
	rule(
		"rule 8: a request is at or below the budget, or the pass before it names what blocks it",
		(request) => {
			const { pass, settings } = request;
			const isBlocked = (pass?.blockers ?? []).length > 0;
			if (recount(request) > settings.budget) expect(isBlocked).toBe(true);
			if (isBlocked) expect(pass?.after).toBeGreaterThan(settings.budget);
		},
	),
	ruleUnder(
		{ policies: [paper] },
		"rule 8: blockers account for every token that is left, largest first",
		(request) => {
			const { blockers = [], after } = request.pass ?? {};
			if (blockers.length === 0) return;
			const sizes = blockers.map((blocker) => blocker.tokens);
			expect(sizes.reduce((sum, tokens) => sum + tokens, 0)).toBe(after);
			expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
		},
	),
];
