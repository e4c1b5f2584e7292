import { expect, test } from "vitest";
import type { Pass, Strip } from "../log/pass.ts";
import { createViewBuilder } from "../log/view.ts";
import { createAnchoredLines } from "./projection.ts";

const sizes = { version: 1 as const, policy: "p", budget: 0, before: 0, after: 0, blockers: [] };

/** A pass that sets the line of each episode at an item. */
function lines(...given: readonly (readonly [episode: string, anchor: string, text: string])[]): Pass {
	const strips = given.map(
		([episode, anchor, text]): Strip => ({
			...{ episode, level: 4, items: [anchor], tokens: 1 },
			marker: { anchor, text, tokens: 1 },
		}),
	);
	return { ...sizes, strips };
}

/** The lines of a view after a first pass, and of the same view once more passes came. */
function after(first: Pass, next: Pass) {
	const views = createViewBuilder();
	views.append(first);
	const view = views.read();
	const anchored = createAnchoredLines(view);
	views.append(next);
	return { anchored, anew: createAnchoredLines(view) };
}

test("the line of an episode is replaced by its new one, and a new episode's line comes behind those at its item", () => {
	const { anchored, anew } = after(
		lines(["a", "1.0", "a in part"], ["b", "2.0", "b"]),
		lines(["a", "1.0", "a is gone"], ["c", "2.0", "c"]),
	);
	expect([anchored.update("a"), anchored.update("b"), anchored.update("c")]).toEqual([true, true, true]);
	expect([anchored.at("1.0"), anchored.at("2.0")]).toEqual([["a is gone"], ["b", "c"]]);
	expect([anew.at("1.0"), anew.at("2.0")]).toEqual([["a is gone"], ["b", "c"]]);
	// Told once more, nothing is added again.
	expect([anchored.update("c"), anchored.at("2.0")]).toEqual([true, ["b", "c"]]);
});

test("all lines must be read again when one of several at an item changes, moves, or goes into the index", () => {
	const first = lines(["a", "1.0", "a"], ["b", "1.0", "b"], ["c", "2.0", "c"]);
	const index = { episodes: ["c"], marker: { anchor: "1.0", text: "[1 episode]", tokens: 5 } };
	expect(after(first, lines(["a", "1.0", "a is gone"])).anchored.update("a")).toBe(false);
	expect(after(first, lines(["c", "3.0", "c"])).anchored.update("c")).toBe(false);
	expect(after(first, { ...lines(), folds: [index] }).anchored.update("c")).toBe(false);
});

test("an item without lines has none", () => {
	expect(after(lines(), lines()).anchored.at("1.0")).toEqual([]);
});
