import { expect, test } from "vitest";
import { recount } from "../test-support/inspection.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 9: a pass never makes the context larger, markers included, nor does any strip in it", () => {
	forEveryRequest((request) => {
		const { pass } = request;
		if (!pass) return;
		expect(recount(request)).toBeLessThanOrEqual(pass.before);
		for (const { tokens, marker } of pass.strips) expect(tokens).toBeGreaterThanOrEqual(marker?.tokens ?? 0);
	});
});

test("rule 9: a pass visits an episode once and every strip takes something, so it ends within 4 steps an episode", () => {
	forEveryRequest(({ pass, before }) => {
		const strips = pass?.strips ?? [];
		expect(new Set(strips.map((strip) => strip.episode)).size).toBe(strips.length);
		for (const { level, items } of strips) {
			expect([1, 2, 3, 4]).toContain(level);
			expect(items.filter((id) => !before.removed.has(id)).length).toBeGreaterThan(0);
		}
	});
});
