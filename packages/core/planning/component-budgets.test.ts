import { describe, expect, test } from "vitest";
import { measureComponentStates } from "../health/pressure.ts";
import { type BudgetComponent, measureComponents, totalTokens } from "../ledger/ledger.ts";
import { createViewBuilder, viewAfter } from "../log/view.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { anySession } from "../test-support/sessions.ts";
import { forEveryRequest, planInput } from "../test-support/simulation.ts";
import { withComponentBudgets } from "./component-budgets.ts";
import type { ComponentBudget, ComponentBudgets, PlanInput, Policy } from "./policy.ts";

const { call, fold, model, note, person, reasoning, result, text } = draft;

const fixed = { system: 100, tools: 100 };
const noView = createViewBuilder().read();

/** In each user turn a read of 500 tokens and an edit of 300, both about files of their own. */
const rounds = Array.from({ length: 10 }, (_, round) => [
	person(5),
	model(text(20), call(`r${round}`, "read", { path: `f${round}` }, 20)),
	result(`r${round}`, 500),
	model(call(`e${round}`, "edit", { path: `g${round}` }, 300)),
	result(`e${round}`, 20),
]);
const session = fold(person(50), ...rounds.flat());

function planUnder(budgets: ComponentBudgets, budget = 10_000, isAuto = false, policy: Policy = cwl) {
	const input = { ...planInput(session, noView, { budget, fixed }), isAuto };
	const pass = withComponentBudgets(policy, budgets).plan(input);
	const view = pass ? viewAfter(noView, pass) : noView;
	return {
		input,
		pass,
		before: measureComponents(session, noView, fixed),
		after: measureComponents(session, view, fixed),
	};
}

test("the components of a request add up to it, and the answer is counted next to them", () => {
	const { output, ...parts } = measureComponents(session, noView, fixed);
	const sum = Object.values(parts).reduce((total, tokens) => total + tokens, 0);
	expect(sum).toBe(totalTokens(session, noView, fixed));
	expect(parts).toMatchObject({ system: 100, tools: 100, toolResults: 5_200, memory: 0 });
	expect(output).toBe(300);
});

test("notes of the host and lines of evicted episodes are memory, and recall pages too", () => {
	const recall = [model(call("q", "recall", { query: "look" }, 10)), result("q", 70)];
	const graph = fold(person(50), model(text(20)), note(30), ...recall, model(text(5)));
	const { history, toolResults, memory } = measureComponents(graph, noView, fixed);
	expect({ history, toolResults, memory }).toEqual({
		history: 50 + 20 + 10 + 5,
		toolResults: 0,
		memory: 100,
	});
});

describe("a component over its hard limit, far below the budget", () => {
	test("forces a pass that takes from it alone, down to its soft limit", () => {
		const { pass, before, after } = planUnder({ toolResults: { soft: 0.3, hard: 0.4 } });
		expect(before.toolResults).toBeGreaterThan(4_000);
		expect(after.toolResults).toBeLessThanOrEqual(3_000);
		expect(after.toolResults).toBeGreaterThan(2_000);
		// Calls leave with their results, and nothing else does.
		expect(before.history - after.history).toBeLessThan(300);
		expect(pass?.decision?.reason).toBe("over a hard limit");
	});

	test("a pass for the history takes the large edits and no read", () => {
		const { before, after } = planUnder({ history: { soft: 0.15, hard: 0.2 } });
		expect(before.history).toBeGreaterThan(2_000);
		expect(after.history).toBeLessThanOrEqual(1_500);
		expect(before.toolResults - after.toolResults).toBeLessThan(200);
	});

	test("a call as large as its result counts to the results", () => {
		const even = Array.from({ length: 12 }, (_, round) => [
			person(5),
			model(call(`r${round}`, "read", { path: `f${round}` }, 250)),
			result(`r${round}`, 250),
		]);
		const limits = { toolResults: { soft: 0.1, hard: 0.2 } };
		const asked = fold(person(50), ...even.flat(), person(5), model(text(1)));
		const input = planInput(asked, noView, { budget: 10_000, fixed });
		const pass = withComponentBudgets(cwl, limits).plan(input);
		const view = pass && viewAfter(noView, pass);
		expect(view && measureComponents(asked, view, fixed).toolResults).toBeLessThanOrEqual(1_000);
	});

	test("a pass for the history takes old thinking first, and no output where that is enough", () => {
		const thought = fold(
			person(50),
			...Array.from({ length: 10 }, (_, round) => [
				person(5),
				model(reasoning(100), text(20), call(`r${round}`, "read", { path: `f${round}` }, 20)),
				result(`r${round}`, 500),
			]).flat(),
		);
		const limits = { history: { soft: 0.1, hard: 0.12 } };
		const pass = withComponentBudgets(cwl, limits).plan(
			planInput(thought, noView, { budget: 10_000, fixed }),
		);
		const evicted = new Set(pass?.strips.flatMap(({ items }) => items));
		const left = thought.messages.flatMap(({ items }) => items.filter(({ id }) => evicted.has(id)));
		expect(new Set(left.map(({ type }) => type))).toEqual(new Set(["reasoning"]));
	});

	test("makes no pass while it stays below, under Algorithm 1, or when nothing of it may leave", () => {
		expect(planUnder({ toolResults: { soft: 0.5, hard: 0.6 } }).pass).toBeUndefined();
		expect(planUnder({ toolResults: { soft: 0.3, hard: 0.4 } }, 10_000, false, paper).pass).toBeUndefined();
		expect(planUnder({ system: { soft: 0.001, hard: 0.002 } }).pass).toBeUndefined();
		expect(planUnder({ memory: { soft: 0.001, hard: 0.002 } }).pass).toBeUndefined();
	});

	test("is over it above the limit, not at it", () => {
		expect(planUnder({ toolResults: { soft: 0.3, hard: 0.52 } }).pass).toBeUndefined();
		expect(planUnder({ toolResults: { soft: 0.3, hard: 0.5199 } }).pass).toBeDefined();
	});

	test("makes no pass that frees little of it and leaves it above the limit", () => {
		// One edit of 300 tokens may leave; the rest of the history is recent, or people wrote it.
		const asked = fold(person(5_000), ...rounds.slice(0, 2).flat(), person(5), model(text(1)));
		const plan = (hard: number) =>
			withComponentBudgets(cwl, { history: { soft: 0.1, hard } }).plan(
				planInput(asked, noView, { budget: 10_000, fixed }),
			);
		expect(plan(0.4)).toBeUndefined();
		expect(plan(0.55)?.strips).toHaveLength(1);
	});

	test("a pass that the budget forces takes from it first", () => {
		const limits = { history: { soft: 0.2, hard: 0.25 } };
		const [plain, relieving] = [planUnder({}, 8_000), planUnder(limits, 8_000)];
		expect(plain.pass?.decision?.reason).toBe("over budget");
		expect(relieving.pass?.decision?.reason).toBe("over budget");
		expect(relieving.after.history).toBeLessThan(plain.after.history);
		expect(relieving.after.history).toBeLessThanOrEqual(1_600);
	});
});

test("a request that leaves too little for its answer is taken down to low water", () => {
	const total = totalTokens(session, noView, fixed);
	const budget = Math.ceil(total / 0.95);
	const { pass } = planUnder({ output: { soft: 0.05, hard: 0.1 } }, budget);
	expect(pass?.before).toBeLessThan(budget);
	expect(pass?.after).toBeLessThanOrEqual(0.8 * budget);
	expect(planUnder({ output: { soft: 0.01, hard: 0.02 } }, budget).pass).toBeUndefined();
});

test("an answer's reserve is short above its share of the budget, and a pass for it may be a small one", () => {
	const long = fold(person(50), ...Array.from({ length: 4 }, () => rounds.flat()).flat());
	const total = totalTokens(long, noView, fixed);
	const plan = (budget: number, hard: number) =>
		withComponentBudgets(cwl, { output: { soft: 0.01, hard } }).plan({
			...planInput(long, noView, { budget, fixed }),
			lowWater: 0.86,
		});
	expect(plan(total / 0.875, 0.125)).toBeUndefined();
	const pass = plan(total / 0.875, 0.126);
	expect(pass?.before).toBe(total);
	expect(total - (pass?.after ?? 0)).toBeLessThan(0.05 * total);
});

function stateOf(input: PlanInput, name: BudgetComponent, limit: ComponentBudget) {
	return measureComponentStates(input, { [name]: limit }).filter(({ component }) => component === name);
}

test("a component has a burn rate, requests left and an urgency", () => {
	const { input } = planUnder({});
	const states = (hard: number) =>
		stateOf(input, "toolResults", { soft: 0.8 * hard, hard }).map(({ urgency, requestsLeft }) => [
			...[urgency, requestsLeft],
		]);
	// The last five requests added three edits' and two reads' results, or the other way around.
	expect(stateOf(input, "toolResults", { soft: 0.8, hard: 1 })[0]?.burnRate).toBe(212);
	const begun = fold(person(50), model(text(40)));
	const young = planInput(begun, noView, { budget: 10_000, fixed });
	expect(stateOf(young, "history", { soft: 0.8, hard: 1 })[0]?.burnRate).toBe(90);
	// One that does not grow is not what fills a budget that is exceeded.
	const full = measureComponentStates({ ...input, budget: 1 }, {});
	expect(full.map(({ requestsLeft }) => requestsLeft)).toEqual([null, null, 0, 0, null, null]);
	// Without a hard limit the component may take what the budget leaves: 1,100 tokens.
	expect(states(1)).toEqual([["warning", 5]]);
	expect(states(0.99)).toEqual([["normal", 22]]);
	expect(states(0.7)).toEqual([["warning", 8]]);
	expect(states(0.55)).toEqual([["critical", 1]]);
	expect(states(0.4)).toEqual([["critical", 0]]);
	// At its limit and not growing: it will not reach it.
	expect(stateOf(input, "system", { soft: 0.005, hard: 0.01 })).toMatchObject([
		{ used: 100, hard: 100, requestsLeft: null, urgency: "warning" },
	]);
	for (const component of ["system", "tools", "output"] as const) {
		expect(stateOf(input, component, { soft: 0.5, hard: 0.6 })).toMatchObject([
			{ burnRate: 0, requestsLeft: null, urgency: "normal" },
		]);
	}
});

test("hard limits evict only what may leave, as long as they free something that the component had", () => {
	const limits = { toolResults: { soft: 0.1, hard: 0.2 }, history: { soft: 0.2, hard: 0.3 } };
	const limited = { ...withComponentBudgets(cwl, limits), name: "cwl" };
	forEveryRequest(
		({ graph, before: view, settings, pass }) => {
			const used = measureComponents(graph, view, settings.fixed);
			const isOver = used.toolResults > 0.2 * settings.budget || used.history > 0.3 * settings.budget;
			if (!pass) return;
			const isEarly = ["next work begins", "turn begins"].includes(pass.decision?.reason ?? "");
			expect(isOver || isEarly || pass.before > settings.budget).toBe(true);
			expect(pass.after).toBeLessThanOrEqual(pass.before);
			// The pass leaves nothing that would force another one over the same messages.
			const again = limited.plan(planInput(graph, viewAfter(view, pass), settings));
			if (pass.after <= settings.budget) expect(again).toBeUndefined();
		},
		anySession,
		[limited],
	);
});

test.each([
	[2, "critical"],
	[3, "warning"],
	[9, "warning"],
	[10, "normal"],
] as const)(
	"a component that reaches its hard limit in %i requests is in a %s state",
	(requests, urgency) => {
		const budget = 1_000_000;
		const stateWith = (hard: number) => {
			const input = planInput(session, noView, { budget, fixed });
			return stateOf(input, "toolResults", { soft: hard / budget, hard: hard / budget })[0];
		};
		const { used = 0, burnRate = 0 } = stateWith(budget / 2) ?? {};
		expect(burnRate).toBeGreaterThan(0);
		expect(stateWith(used + requests * burnRate)).toMatchObject({ requestsLeft: requests, urgency });
	},
);
