import { expect } from "vitest";
import { totalTokens } from "../ledger/ledger.ts";
import { recount } from "../test-support/inspection.ts";
import { silentlyLeft, unnamedOutputs, wrongSizes } from "../test-support/rule-checks.ts";
import { rule } from "../test-support/simulation.ts";

/** In tokens: a longer output is worth a line. */
const LONGEST_LINE = 2_500;

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
	rule(
		"rules 8 and 9: blockers account for every token that is left, largest first, and the pass for the size of the request",
		(request) => {
			const { graph, view, settings, pass } = request;
			const tokens = totalTokens({ graph, view, fixed: settings.fixed });
			expect(wrongSizes(tokens, recount(request), settings.budget, pass)).toEqual([]);
			const sizes = pass?.blockers.map((blocker) => blocker.tokens) ?? [];
			expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
		},
	),
	rule(
		"a line names what left: words leave without one only where the budget forces it, unmarked outputs never",
		({ policy, graph, view, pass }) => {
			if (!pass || policy.name.startsWith("paper")) return;
			expect(silentlyLeft(graph, view, pass)).toEqual([]);
			if (view.reduced.size === 0) expect(unnamedOutputs(graph, view, pass, LONGEST_LINE)).toEqual([]);
		},
	),
];
