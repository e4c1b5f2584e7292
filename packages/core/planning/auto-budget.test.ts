import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import { pricePass } from "../prices/prices.ts";
import {
	call,
	fold,
	type ItemDraft,
	model,
	person,
	reasoning,
	result,
	text,
} from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { planInput } from "../test-support/simulation.ts";
import { act } from "../test-support/small-sessions.ts";
import { autoBudgetFor, type BudgetSituation, chooseBudget, withAutoBudget } from "./auto-budget.ts";
import type { PlanInput } from "./policy.ts";

/** Input 1, output 5, a write 1.25; a read costs what is given. */
const at = (read: number) => flatPrices({ read, write: 1.25 });

const situation: BudgetSituation = {
	...{ prices: at(0.05), cap: 160_000, floor: 10_000, context: 130_000, thinking: 0, growth: 800 },
	...{ requests: 300, beginsTurn: false, isCold: false },
};

describe("an automatic budget", () => {
	test("begins passes early where they pay for themselves within the requests to come", () => {
		const { highWater, ceiling } = chooseBudget(situation);
		expect(ceiling).toBe(160_000);
		expect(highWater).toBeLessThan(130_000);
	});

	test("waits for the ceiling in a session that may end before a pass pays for itself", () => {
		expect(chooseBudget({ ...situation, requests: 10 }).highWater).toBe(160_000);
		expect(chooseBudget({ ...situation, requests: 45, prices: at(0.025) }).highWater).toBe(160_000);
	});

	test("waits where a pass forfeits more thinking than it saves", () => {
		const requests = 36;
		expect(chooseBudget({ ...situation, requests }).highWater).toBeLessThan(130_000);
		expect(chooseBudget({ ...situation, requests, thinking: 80_000 }).highWater).toBe(160_000);
	});

	test("evicts deeper where a rewrite is dearer, and where the session grows faster", () => {
		const low = (change: Partial<BudgetSituation>) => chooseBudget({ ...situation, ...change }).lowWater;
		expect(low({ prices: at(0.025) })).toBeLessThan(low({ prices: at(0.1) }));
		expect(low({ prices: at(0.1), growth: 3_000 })).toBeLessThan(low({ prices: at(0.1) }));
	});

	test("begins a little earlier with a turn, and earlier still while the cache is cold", () => {
		const high = (change: Partial<BudgetSituation>) => chooseBudget({ ...situation, ...change }).highWater;
		expect(high({ beginsTurn: true })).toBeLessThan(high({}));
		expect(high({ isCold: true })).toBeLessThan(high({ beginsTurn: true }));
	});

	test("stays below a price step, unless what cannot leave has crossed it", () => {
		const step = { above: 100_000, ...flatPrices({ input: 5, output: 25, read: 0.25, write: 6.25 }) };
		const prices = { ...at(0.05), tiers: [step] };
		expect(chooseBudget({ ...situation, prices })).toMatchObject({ ceiling: 97_000, isBelowTier: true });
		const crossed = chooseBudget({ ...situation, prices, floor: 101_000 });
		expect(crossed).toMatchObject({ ceiling: 160_000, isBelowTier: false });
	});

	test("without prices begins early, and says that it knows none", () => {
		const { highWater, rewriteReads } = chooseBudget({ ...situation, prices: undefined, requests: 1 });
		expect(highWater).toBeLessThan(130_000);
		expect(rewriteReads).toBeUndefined();
	});

	test("passes begin at a share of the requests so far within which they pay for themselves", () => {
		const beginsEarly = (requests: number, change: Partial<BudgetSituation> = {}) =>
			chooseBudget({ ...situation, ...change, requests }).highWater < 130_000;
		const enough = (change: Partial<BudgetSituation> = {}) =>
			Array.from({ length: 300 }, (_, requests) => requests).find((requests) =>
				beginsEarly(requests, change),
			);
		const { lowWater } = chooseBudget(situation);
		const pass = { freed: 130_000 - lowWater, rewritten: lowWater - 10_000, before: 130_000 };
		expect(enough()).toBe(3 * pricePass(pass, at(0.05)).paidBackAfter);
		// What cannot leave stands in front of every change and is not rewritten.
		expect(enough({ floor: 40_000 })).toBeLessThan(enough() ?? 0);
		expect(enough({ isCold: true })).toBe(0);
	});

	test("low water is .35 to .45 of where passes begin, and leaves as much of the room that what cannot leave has left", () => {
		for (const growth of [1, 800, 100_000]) {
			for (const prices of [at(0.001), at(0.1), at(0.9), undefined]) {
				const { lowWater } = chooseBudget({ ...situation, growth, prices });
				expect(lowWater).toBeGreaterThanOrEqual(0.35 * 120_000);
				expect(lowWater).toBeLessThanOrEqual(0.45 * 120_000);
			}
		}
		expect(chooseBudget({ ...situation, floor: 100_000 }).lowWater).toBe(100_000 + 0.35 * 20_000);
		expect(chooseBudget({ ...situation, floor: 140_000 })).toMatchObject({ lowWater: 120_000 });
	});

	test("no pass is made below what cannot leave, nor waited for where nothing is to be freed yet", () => {
		expect(chooseBudget({ ...situation, floor: 140_000, context: 150_000 }).highWater).toBeGreaterThanOrEqual(
			140_000,
		);
		const { lowWater } = chooseBudget(situation);
		const young = { ...situation, requests: 1 };
		expect(chooseBudget({ ...young, context: lowWater }).highWater).toBe(120_000);
		expect(chooseBudget({ ...young, context: lowWater + 1 }).highWater).toBe(160_000);
	});

	test("while the cache is cold passes begin halfway between low water and where they begin otherwise", () => {
		const cold = chooseBudget({ ...situation, isCold: true });
		expect(cold.highWater).toBe((cold.lowWater + 120_000) / 2);
	});

	test("says how many reads a rewrite costs, unless reads cost nothing", () => {
		expect(chooseBudget(situation).rewriteReads).toBe(25);
		expect(chooseBudget({ ...situation, prices: at(0) }).rewriteReads).toBeUndefined();
	});

	test("keeps low water at most high water and both at most the ceiling, whatever the situation", () => {
		const size = fc.integer({ min: 1, max: 2_000_000 });
		const price = fc.double({ min: 1e-9, max: 1, noNaN: true });
		fc.assert(
			fc.property(
				fc.record({ cap: size, floor: size, context: size, thinking: size, growth: size, requests: size }),
				fc.record({ read: price, write: price, output: price }),
				fc.boolean(),
				fc.boolean(),
				fc.option(size, { nil: undefined }),
				(sizes, given, beginsTurn, isCold, above) => {
					const flat = flatPrices(given);
					const tiers = above === undefined ? [] : [{ above, ...flat }];
					const prices = { ...flat, tiers };
					const chosen = chooseBudget({ ...sizes, prices, beginsTurn, isCold });
					expect(chosen.lowWater).toBeLessThanOrEqual(chosen.highWater);
					expect(chosen.highWater).toBeLessThanOrEqual(chosen.ceiling);
					expect(chosen.ceiling).toBeLessThanOrEqual(sizes.cap);
					expect(chosen.lowWater).toBeGreaterThanOrEqual(0);
				},
			),
		);
	});
});

describe("under an automatic budget", () => {
	const fixed = { system: 0, tools: 0 };

	/** Rounds that read so many tokens each, in a turn of their own. */
	function reads(rounds: number, tokens: number, ...words: readonly ItemDraft[]) {
		const drafts = Array.from({ length: rounds }, (_, round) => [
			model(...words, call(`r${round}`, "read", { path: `f${round}` }, 20)),
			result(`r${round}`, tokens - 20),
		]);
		const graph = fold(person(0), ...drafts.flat());
		return (budget: number, change: Partial<PlanInput> = {}): PlanInput => ({
			...planInput(graph, viewOfLog([]), { budget, fixed }),
			prices: at(0.05),
			...change,
		});
	}

	test("fewer than ten answers do not show yet how fast a session grows", () => {
		const low = (answers: number, tokens: number) => autoBudgetFor(reads(answers, tokens)(160_000)).lowWater;
		expect(low(9, 10_000)).toBe(low(9, 100));
		expect(low(10, 10_000)).toBeLessThan(low(10, 100));
		expect(low(9, 800)).toBe(low(10, 800));
	});

	test("passes begin a little earlier where a turn begins than inside a tool loop", () => {
		const inLoop = reads(40, 600)(160_000);
		const asked = fold(
			person(0),
			...Array.from({ length: 40 }, (_, round) => [
				model(call(`r${round}`, "read", { path: `f${round}` }, 20)),
				result(`r${round}`, 580),
			]).flat(),
			person(0),
		);
		const atTurn = { ...planInput(asked, viewOfLog([]), { budget: 160_000, fixed }), prices: at(0.05) };
		const { highWater } = autoBudgetFor(atTurn);
		expect(highWater).toBeLessThan(autoBudgetFor(inLoop).highWater);
		expect(autoBudgetFor({ ...atTurn, graph: inLoop.graph }).highWater).toBeGreaterThan(highWater);
	});

	test("thinking that the next request sends counts as what a pass forfeits, and nothing else does", () => {
		const high = (...words: readonly ItemDraft[]) => {
			const { graph, ...input } = reads(40, 1_250, ...words)(160_000);
			const items = graph.reasoning.map(({ id }) => id).slice(0, words.length > 1 ? 40 : 0);
			const sizes = { version: 1 as const, policy: "p", budget: 0, before: 0, after: 0, blockers: [] };
			const strips = [{ episode: "all", level: 1 as const, items, tokens: items.length * 2_000 }];
			return autoBudgetFor({ ...input, graph, view: viewOfLog([{ ...sizes, strips }]) }).highWater;
		};
		expect(high(text(2_000))).toBeLessThan(130_000);
		expect(high(reasoning(2_000))).toBe(160_000);
		// This thinking is gone already.
		expect(high(reasoning(2_000), text(2_000))).toBeLessThan(130_000);
	});

	test("a pass is made above high water, not at it", () => {
		const session = reads(200, 600);
		const caps = Array.from({ length: 200 }, (_, at) => 159_900 + at);
		const highAt = (cap: number) => autoBudgetFor(session(cap)).highWater;
		const [exact] = caps.filter((cap) => highAt(cap) === 120_000);
		const [below] = caps.filter((cap) => highAt(cap) === 119_999);
		const policy = withAutoBudget(cwl);
		expect(policy.plan(session(exact ?? 0))).toBeUndefined();
		const pass = policy.plan(session(below ?? 0));
		expect(pass?.before).toBe(120_000);
		expect(pass?.after).toBeLessThanOrEqual(autoBudgetFor(session(below ?? 0)).lowWater);
	});

	test("where passes begin is said of a warm cache, whether it is cold now or not", () => {
		const input = reads(200, 600)(160_000);
		const warm = autoBudgetFor(input).highWater;
		expect(autoBudgetFor({ ...input, isCold: true }).highWater).toBeLessThan(warm);
		const { highWater } = withAutoBudget(cwl);
		for (const isCold of [false, true]) expect(highWater?.({ ...input, isCold })).toBe(warm);
	});

	test("a price step far below the cap forces a pass in time", () => {
		const prices = { ...at(0.05), tiers: [{ above: 100_000, ...flatPrices({ input: 5, read: 0.25 }) }] };
		const pass = withAutoBudget(cwl).plan(reads(10, 10_000)(1_000_000, { prices }));
		expect(pass?.before).toBe(100_000);
		expect(pass?.after).toBeLessThan(97_000);
	});

	test("a pass that does not pay for itself is made at the ceiling only, and any that frees something without prices", () => {
		const session = reads(20, 6_000);
		const policy = withAutoBudget(cwl);
		expect(policy.plan(session(130_000))).toBeUndefined();
		expect(policy.plan(session(119_999))?.before).toBe(120_000);
		const { prices: _, ...withoutPrices } = session(130_000);
		expect(policy.plan(withoutPrices)?.before).toBe(120_000);
	});

	test("Algorithm 1, which knows no low water, evicts down to high water", () => {
		const acts = Array.from({ length: 200 }, (_, round) =>
			act(`fix ${round}`, [], model(call(`w${round}`, "edit")), result(`w${round}`, 600)),
		);
		const graph = fold(person(0), ...acts.flat(), model(text()));
		const session = planInput(graph, viewOfLog([]), { budget: 150_000, fixed });
		const pass = withAutoBudget(paper).plan(session);
		expect(pass?.before).toBeGreaterThan(120_000);
		const { highWater, lowWater } = autoBudgetFor(session);
		expect(pass?.after).toBeLessThanOrEqual(highWater);
		expect(pass?.after).toBeGreaterThan(lowWater);
	});

	test("whoever says where to stop gets the pass in any case", () => {
		const session = reads(20, 1_000);
		const pass = withAutoBudget(cwl).plan(session(40_000, { lowWaterTokens: 9_000 }));
		expect(pass?.before).toBe(20_000);
		expect(pass?.after).toBeLessThanOrEqual(9_000);
	});

	test("above high water no pass is made that only names what blocks it; above the ceiling it is", () => {
		const graph = fold(person(100), model(call("now", "read")), result("now", 10_000));
		const plan = (budget: number) =>
			withAutoBudget(paper).plan(planInput(graph, viewOfLog([]), { budget, fixed }));
		expect(plan(11_000)).toBeUndefined();
		expect(plan(10_000)?.blockers[0]?.code).toBe("open-episode");
	});
});
