import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { answered, call, fold, model, note, person, text } from "../test-support/message-builders.ts";
import { passTaking, passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { isWorthwhile, mostEvictable, wasJustMade } from "./payoff.ts";

test("a pass frees at least a hundredth of the budget, and a twentieth where that leaves too much", () => {
	const isWorth = (before: number, after: number, isCold = false) =>
		isWorthwhile({ budget: 1_000, isCold }, before, after);
	expect([isWorth(1_005, 996), isWorth(1_005, 995)]).toEqual([false, true]);
	expect([isWorth(1_010, 1_000), isWorth(1_050, 1_001), isWorth(1_051, 1_001)]).toEqual([true, false, true]);
	// With a cold cache nothing is rewritten.
	expect([isWorth(1_050, 1_040, true), isWorth(1_050, 1_041, true)]).toEqual([true, false]);
	expect(isWorthwhile({ budget: 0 }, 10, 10)).toBe(false);
});

test("a pass was just made as long as nothing came after it", () => {
	const graph = fold(person(), model(text()));
	const pass = passWith();
	expect(wasJustMade({ graph, view: viewOfLog([]) })).toBe(false);
	expect(wasJustMade({ graph, view: viewOfLog([pass]) })).toBe(false);
	expect(wasJustMade({ graph, view: viewOfLog([{ ...pass, newest: "1.0" }]) })).toBe(true);
	expect(wasJustMade({ graph, view: viewOfLog([{ ...pass, newest: "0.0" }]) })).toBe(false);
	expect(wasJustMade({ graph: fold(), view: viewOfLog([]) })).toBe(false);
});

test("at most what episodes hold leaves, without what people wrote and the exchange in progress", () => {
	const graph = fold(
		...[person(50), ...answered(290, call("a", "read")), person(70), model(text(40)), person(30), note(5)],
	);
	const settings = { budget: 1_000, fixed: { system: 9, tools: 9 } };
	const most = (change: object = {}) => mostEvictable(planInput(graph, { ...settings, ...change }));
	expect(most()).toBe(300);
	const view = (tokens: number) => {
		const marker = { anchor: "1.0", text: "x", tokens };
		return viewOfLog([passTaking("e", ["1.0"], 100, { level: 4, marker })]);
	};
	expect(most({ view: view(2) })).toBe(200);
	expect(most({ view: view(900) })).toBe(200 + 900);
});
