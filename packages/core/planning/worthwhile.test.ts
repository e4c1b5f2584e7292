import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { fold, model, person, text } from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { isWorthwhile, wasJustMade } from "./payoff.ts";

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
