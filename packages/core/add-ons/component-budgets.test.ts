import { describe, expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { measureComponentStates } from "../health/pressure.ts";
import { type BudgetComponent, measureComponents, type SealedTokens, totalTokens } from "../ledger/ledger.ts";
import { type View, viewAfter, viewOfLog } from "../log/view.ts";
import type { Policy } from "../planning/policy.ts";
import { cwl } from "../policies/cwl.ts";
import * as draft from "../test-support/message-builders.ts";
import { forEveryRequestUnder, planInput } from "../test-support/simulation.ts";
import { type ComponentBudgets, withComponentBudgets } from "./component-budgets.ts";

const { answered, call, fold, model, note, person, reasoning, text } = draft;

const fixed = { system: 100, tools: 100 };
const noView = viewOfLog([]);

/** In each user turn a read of 500 tokens and an edit of 300, both about files of their own. */
const rounds = Array.from({ length: 10 }, (_, round) => [
	person(5),
	...answered(500, text(20), call(`r${round}`, "read", { path: `f${round}` }, 20)),
	...answered(20, call(`e${round}`, "edit", { path: `g${round}` }, 300)),
]);
const session = fold(person(50), ...rounds.flat());

interface Circumstances {
	readonly budget?: number;
	readonly graph?: Graph;
	readonly policy?: Policy;
	readonly lowWater?: number;
}

/** The pass under these component budgets, and the components of the request before and after it. */
function planUnder(budgets: ComponentBudgets, circumstances: Circumstances = {}) {
	const { budget = 10_000, graph = session, policy = cwl, ...change } = circumstances;
	const pass = withComponentBudgets(policy, budgets).plan(planInput(graph, { budget, fixed, ...change }));
	const measure = (view: View) => measureComponents({ graph, view, fixed });
	return { pass, before: measure(noView), after: measure(pass ? viewAfter(noView, pass) : noView) };
}

test("notes of the host and lines of evicted episodes are memory, and recall pages too", () => {
	const recall = answered(70, call("q", "recall", { query: "look" }));
	const graph = fold(person(50), model(text(20)), note(30), ...recall, model(text(5)));
	const { history, toolResults, memory } = measureComponents({ graph, view: noView, fixed });
	expect([history, toolResults, memory]).toEqual([50 + 20 + 10 + 5, 0, 100]);
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

	test("a call as large as its result counts to the results", () => {
		const even = Array.from({ length: 12 }, (_, round) => [
			person(5),
			...answered(250, call(`r${round}`, "read", { path: `f${round}` }, 250)),
		]);
		const graph = fold(person(50), ...even.flat(), person(5), model(text(1)));
		const { after } = planUnder({ toolResults: { soft: 0.1, hard: 0.2 } }, { graph });
		expect(after.toolResults).toBeLessThanOrEqual(1_000);
	});

	test("a pass for the history takes old thinking first, and no output where that is enough", () => {
		const thoughts = Array.from({ length: 10 }, (_, round) => [
			person(5),
			...answered(500, reasoning(100), text(20), call(`r${round}`, "read", { path: `f${round}` }, 20)),
		]);
		const graph = fold(person(50), ...thoughts.flat());
		const { pass } = planUnder({ history: { soft: 0.1, hard: 0.12 } }, { graph });
		const evicted = new Set(pass?.strips.flatMap(({ items }) => items));
		const left = graph.messages.flatMap(({ items }) => items.filter(({ id }) => evicted.has(id)));
		expect(new Set(left.map(({ type }) => type))).toEqual(new Set(["reasoning"]));
	});

	test("makes no pass that frees little of it and leaves it above the limit", () => {
		// One edit of 300 tokens may leave; the rest of the history is recent, or people wrote it.
		const graph = fold(person(5_000), ...rounds.slice(0, 2).flat(), person(5), model(text(1)));
		const plan = (hard: number) => planUnder({ history: { soft: 0.1, hard } }, { graph }).pass;
		expect(plan(0.4)).toBeUndefined();
		expect(plan(0.55)?.strips).toHaveLength(1);
	});

	test("a pass that the budget forces takes from it first", () => {
		const limits = { history: { soft: 0.2, hard: 0.25 } };
		const circumstances = { budget: 8_000, lowWater: 0.5 };
		const plain = planUnder({}, circumstances);
		const relieving = planUnder(limits, circumstances);
		expect(plain.pass?.decision?.reason).toBe("over budget");
		expect(relieving.pass?.decision?.reason).toBe("over budget");
		expect(relieving.after.history).toBeLessThan(plain.after.history);
		expect(relieving.after.history).toBeLessThanOrEqual(1_600);
	});
});

test("an answer's reserve is short above its share of the budget, and a pass for it may be a small one", () => {
	const graph = fold(person(50), ...Array.from({ length: 4 }, () => rounds.flat()).flat());
	const total = totalTokens({ graph, view: noView, fixed });
	const plan = (budget: number, hard: number) =>
		planUnder({ output: { soft: 0.01, hard } }, { graph, budget, lowWater: 0.86 }).pass;
	expect(plan(total / 0.875, 0.125)).toBeUndefined();
	const pass = plan(total / 0.875, 0.126);
	expect(pass?.before).toBe(total);
	expect(total - (pass?.after ?? 0)).toBeLessThan(0.05 * total);
});

/** The state of one component of this graph under a limit. */
function stateOf(
	name: BudgetComponent,
	hard: number,
	{ soft = 0.8 * hard, graph = session, budget = 10_000 } = {},
) {
	const states = measureComponentStates(planInput(graph, { budget, fixed }), { [name]: { soft, hard } });
	return states.find(({ component }) => component === name);
}

test("a component has a burn rate, which is the mean of at most five requests", () => {
	// The last five requests added three edits' and two reads' results, or the other way around.
	expect(stateOf("toolResults", 1)?.burnRate).toBe(212);
	expect(stateOf("history", 1, { graph: fold(person(50), model(text(40))) })?.burnRate).toBe(40);
});

test("one that does not grow is not what fills a budget that is exceeded", () => {
	const full = measureComponentStates(planInput(session, { budget: 1, fixed }), {});
	expect(full.map(({ requestsLeft }) => requestsLeft)).toEqual([null, null, 0, 0, null, null]);
});

test.each([
	// Without a hard limit the component may take what the budget leaves: 1,100 tokens. The budget is no limit of its own.
	[1, "normal", 5],
	[0.4, "critical", 0],
])(
	"a component with a hard limit of %d is in a %s state, with %i requests left",
	(hard, urgency, requestsLeft) => {
		expect(stateOf("toolResults", hard)).toMatchObject({ urgency, requestsLeft });
	},
);

test("the states are in the units of the provider, and the requests that are left follow from these", () => {
	const input = planInput(fold(person(50), model(reasoning(40))), { budget: 10_000, fixed });
	const units = {
		part: (tokens: number, sealed?: SealedTokens) => 2 * tokens - (sealed?.sent ?? 0),
		whole: (tokens: number) => 2 * tokens + 300,
		budget: (tokens: number) => 2 * tokens,
		sealed: { sent: 30, unsent: 0 },
	};
	const [, , history] = measureComponentStates(input, {}, units);
	const free = 20_000 - (2 * totalTokens(input) + 300);
	expect(history).toMatchObject({ used: 2 * 60 + 30, burnRate: 80, requestsLeft: Math.floor(free / 80) });
});

test("a component at its limit that does not grow will not reach it", () => {
	const full = { used: 100, hard: 100, requestsLeft: null, urgency: "normal" };
	expect(stateOf("system", 0.01, { soft: 0.005 })).toMatchObject(full);
	for (const component of ["system", "tools", "output"] as const) {
		const still = { burnRate: 0, requestsLeft: null, urgency: "normal" };
		expect(stateOf(component, 0.6, { soft: 0.5 })).toMatchObject(still);
	}
});

test("hard limits evict only what may leave, as long as they free something that the component had", () => {
	const limits = { toolResults: { soft: 0.1, hard: 0.2 }, history: { soft: 0.2, hard: 0.3 } };
	const limited = { ...withComponentBudgets(cwl, limits), name: "cwl" };
	forEveryRequestUnder({ policies: [limited] }, ({ graph, before: view, settings, pass }) => {
		const used = measureComponents({ graph, view, fixed: settings.fixed });
		const isOver = used.toolResults > 0.2 * settings.budget || used.history > 0.3 * settings.budget;
		if (!pass) return;
		const isEarly = ["next work begins", "turn begins"].includes(pass.decision?.reason ?? "");
		expect(isOver || isEarly || pass.before > settings.budget).toBe(true);
		expect(pass.after).toBeLessThanOrEqual(pass.before);
		// The pass leaves nothing that would force another one over the same messages.
		const again = limited.plan(planInput(graph, settings, viewAfter(view, pass)));
		if (pass.after <= settings.budget) expect(again).toBeUndefined();
	});
});

test("a component that reaches its hard limit in two requests is critical, and a warning in up to nine", () => {
	const budget = 1_000_000;
	const stateWith = (hard: number) => stateOf("toolResults", hard / budget, { soft: hard / budget, budget });
	const { used = 0, burnRate = 0 } = stateWith(budget / 2) ?? {};
	expect(burnRate).toBeGreaterThan(0);
	const urgencies = [2, 3, 9, 10].map((requests) => {
		const state = stateWith(used + requests * burnRate);
		expect(state?.requestsLeft).toBe(requests);
		return state?.urgency;
	});
	expect(urgencies).toEqual(["critical", "warning", "warning", "normal"]);
});
