import { expect, test } from "vitest";
import type { Blocker } from "#core/log";
import type { PlanInput } from "#core/planning";
import { flatPrices } from "../../core/test-support/prices.ts";
import { explainAutoBudget, explainBudget, nameBlocker } from "./budget-text.ts";

const auto = { lowWater: 48_000, ceiling: 160_000, isBelowTier: false };
const prices = (rewriteReads: number) => flatPrices({ read: 0.05, write: 0.05 * rewriteReads });

test.each([
	[
		auto,
		25,
		"at most 160k; a pass at that size, or by /cwl evict, aims at 48k but may spare open, pinned or restored work: on opus a rewrite costs as much as 25 cached reads",
	],
	[
		auto,
		12.5,
		"at most 160k; a pass at that size, or by /cwl evict, aims at 48k but may spare open, pinned or restored work: on opus a rewrite costs as much as 12.5 cached reads",
	],
	[
		{ ...auto, ceiling: 97_000, isBelowTier: true },
		25,
		"at most 97k, below the next price step of opus; a pass at that size, or by /cwl evict, aims at 48k but may spare open, pinned or restored work: on opus a rewrite costs as much as 25 cached reads",
	],
	[
		auto,
		undefined,
		"at most 160k; a pass at that size, or by /cwl evict, aims at 48k but may spare open, pinned or restored work: the prices of opus are unknown",
	],
])("an automatic budget is explained in one sentence", (limits, reads, sentence) => {
	const policy = { limits: () => limits };
	expect(explainAutoBudget(policy, limits, reads === undefined ? undefined : prices(reads), "opus")).toBe(
		`auto: ${sentence}`,
	);
});

test("a fixed budget is what was set, and a policy without sizes of its own stops there", () => {
	const policy = { name: "none", plan: () => undefined };
	const input = { budget: 40_000, lowWater: 0.75 } as PlanInput;
	expect(explainBudget(policy, input, "opus", { budget: (counted) => 2 * counted, isKnown: true })).toEqual({
		mode: "fixed",
		highWater: 80_000,
		lowWater: 60_000,
		reason:
			"fixed: at most 80k; a pass stops just below that, and one by /cwl evict aims at 60k but may spare open, pinned or restored work",
	});
});

const blockers: readonly Blocker[] = [
	{ code: "fixed", tokens: 1 },
	{ code: "prologue", tokens: 2 },
	{ code: "user-turns", tokens: 3 },
	{ code: "open-episode", episode: "look", origin: "declared", tokens: 4 },
	{ code: "open-episode", episode: "unmarked-1", origin: "inferred", tokens: 5 },
	{ code: "pinned-episodes", count: 1, largest: "fix", tokens: 6 },
	{ code: "pinned-episodes", count: 3, largest: "fix.2", tokens: 7 },
	{ code: "in-use", tokens: 8 },
];

test.each(blockers)("$code names what blocks and what helps", (blocker) => {
	const named = nameBlocker(blocker);
	expect(named.tokens).toBe(blocker.tokens);
	expect(named.remedy).toMatch(/budget|end the episode/);
});

test("names are quoted and bounded, so that none can pose as another line", () => {
	const episode = `a\n\u202e${"b".repeat(100_000)}`;
	for (const blocker of [
		{ code: "open-episode", episode, origin: "declared", tokens: 1 },
		{ code: "pinned-episodes", count: 1, largest: episode, tokens: 1 },
	] as const) {
		const { what, remedy } = nameBlocker(blocker);
		expect(`${what} ${remedy}`).not.toMatch(/\n|\u202e/);
		expect(what.length + remedy.length).toBeLessThan(400);
	}
});
