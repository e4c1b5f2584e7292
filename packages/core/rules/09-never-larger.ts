import { expect } from "vitest";
import { recount } from "../test-support/inspection.ts";
import { rule } from "../test-support/simulation.ts";

export const rule9 = [
	rule(
		"rule 9: a pass never makes the context larger, markers included, nor does any strip in it; it ends within 4 steps an episode",
		(request) => {
			const { pass, before } = request;
			if (!pass) return;
			expect(recount(request)).toBeLessThanOrEqual(pass.before);
			// An episode is visited once, and every strip takes something.
			expect(new Set(pass.strips.map(({ episode }) => episode)).size).toBe(pass.strips.length);
			for (const { tokens, marker, level, items } of pass.strips) {
				expect(tokens).toBeGreaterThanOrEqual(marker?.tokens ?? 0);
				expect([1, 2, 3, 4]).toContain(level);
				expect(items.filter((id) => !before.removed.has(id)).length).toBeGreaterThan(0);
			}
		},
	),
];
