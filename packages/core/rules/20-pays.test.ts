import { describe, expect, test } from "vitest";
import { measureFloor, totalTokens } from "../ledger/ledger.ts";
import { viewOfLog } from "../log/view.ts";
import { afterResults } from "../planning/later-input.ts";
import { ceilingUnder, limitsOf } from "../planning/limits.ts";
import { planManualPass } from "../planning/manual-pass.ts";
import { passEffect } from "../planning/pass-effect.ts";
import { planPass } from "../planning/plan.ts";
import type { Policy } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import type { ModelPrices } from "../prices/prices.ts";
import { recount } from "../test-support/inspection.ts";
import { answered, call, fold, model, person, text } from "../test-support/message-builders.ts";
import { flatPrices } from "../test-support/prices.ts";
import { forEveryRequestUnder, planInput, requestsOf } from "../test-support/simulation.ts";

const cheapReads = flatPrices({ read: 0.05, write: 1.25 });

function autoAt(prices: ModelPrices): Policy {
	return { ...cwl, plan: (input) => planPass(cwl, { ...input, prices, isAuto: true }) };
}

test("rule 20: a pass that the budget does not force pays for itself within a third of the requests so far", () => {
	const policies = [cheapReads, flatPrices({ read: 0.9, write: 1 })].map(autoAt);
	forEveryRequestUnder({ policies }, ({ graph, before: view, settings, pass }) => {
		if (!pass || pass.before <= 0 || pass.before > settings.budget) return;
		const input = { ...planInput(graph, settings, view) };
		const { freed, rewritten } = passEffect(input, pass);
		expect(freed).toBeGreaterThan(0);
		// At the prices that are kinder to passes: a rewrite costs a ninth of a read.
		const requests = graph.history.growth.length;
		expect((rewritten * 0.1) / (freed * 0.9)).toBeLessThanOrEqual(requests / 3);
	});
});

test("rule 20: a request crosses a price step only if a blocker is named or what cannot leave crosses it", () => {
	const above = 1_500;
	const prices = { ...cheapReads, tiers: [{ above, ...flatPrices({ input: 5, output: 25, read: 0.25 }) }] };
	forEveryRequestUnder({ policies: [autoAt(prices)] }, (request) => {
		const { graph, before: view, settings, pass } = request;
		const floor = measureFloor({ graph, view, ...settings }).tokens;
		const ceiling = ceilingUnder(settings.budget, prices, floor);
		if (recount(request) > ceiling) expect((pass?.blockers ?? []).length).toBeGreaterThan(0);
	});
});

describe("a long session under an automatic budget", () => {
	/** Each of 400 turns reads a file of 400 tokens that no other turn names. */
	const turns = Array.from({ length: 400 }, (_, turn) => [
		...answered(400, text(20), call(`r${turn}`, "read", { path: `f${turn}` }, 20)),
		...[model(text(20)), person(10)],
	]);
	const messages = fold(person(50), ...turns.flat()).messages;
	const settings = { budget: 160_000, fixed: { system: 500, tools: 500 } };

	test("has passes that pay when turns begin, long before the ceiling", () => {
		const passes = [...requestsOf(messages, settings, autoAt(cheapReads))].flatMap(({ pass }) => pass ?? []);
		expect(passes.length).toBeGreaterThan(2);
		for (const { before, after, decision } of passes) {
			expect(before).toBeLessThan(130_000);
			expect(before - after).toBeGreaterThan(0.05 * settings.budget);
			expect(decision?.reason).toBe("turn begins");
		}
	});

	test("is previewed in a tool loop at its ceiling, and evicts down to low water when the user asks", () => {
		const loop = answered(400, text(20), call("loop", "read", { path: "loop" }, 20));
		const graph = fold(person(50), ...turns.slice(0, 200).flat(), ...loop);
		const view = viewOfLog([]);
		const input = { ...planInput(graph, settings, view), prices: cheapReads, isAuto: true };
		const toCome = 160_001 - totalTokens({ graph, view, fixed: settings.fixed });
		expect(planPass(cwl, afterResults(input, toCome - 1, "continues"))).toBeUndefined();
		expect(planPass(cwl, afterResults(input, toCome, "continues"))?.before).toBe(160_001);
		const { lowWater } = limitsOf(input);
		const manual = planManualPass(cwl, input);
		expect(manual?.after).toBeLessThanOrEqual(lowWater);
		expect(manual?.after).toBeGreaterThan(0.9 * lowWater);
	});
});
