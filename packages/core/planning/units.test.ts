import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { collectUnits, episodeByItem } from "./units.ts";

const { exchange, call, fold, labelOf, model, person, reasoning, result, text } = draft;

function unitsOf(drafts: readonly draft.MessageDraft[]) {
	const graph = fold(...drafts);
	const { units } = collectUnits(graph, graph.episodes, () => false);
	return units.map(({ items }) => items.map((item) => `${labelOf(item)} of ${item.message}`));
}

test("a result that came twice leaves with the call that it answers", () => {
	expect(unitsOf([person(), model(call("a", "read")), result("a"), result("a")])).toEqual([
		["a of 1", "a result of 3"],
	]);
});

test("when two calls share an id, a result that came twice belongs to the later one", () => {
	const first = [model(call("a", "read")), result("a")];
	const second = [model(call("a", "read")), result("a"), result("a")];
	expect(unitsOf([person(), ...first, ...second])).toEqual([["a of 1"], ["a of 3", "a result of 5"]]);
});

test("a unit counts its call, its result and duplicate results; without a result only its call", () => {
	const graph = fold(
		person(),
		model(call("a", "read", {}, 5), call("b", "read", {}, 7)),
		result("a", 90),
		result("a", 40),
	);
	const { units } = collectUnits(graph, graph.episodes, () => false);
	expect(units.map(({ tokens }) => tokens)).toEqual([135, 7]);
});

test("an item that is no unit is found in its episode, visible or not", () => {
	const graph = fold(
		person(),
		...exchange(reasoning(), call("a", "read")),
		person(),
		model(reasoning(), text()),
	);
	const [first, second] = graph.episodes;
	if (!first || !second) throw new Error("two runs are needed");
	const episodeOf = episodeByItem(
		graph,
		collectUnits(graph, [second], () => false),
	);
	const [inFirst, inSecond] = [first, second].map(({ items }) => items[0]);
	expect([inFirst, inSecond].map((item) => item && episodeOf(item))).toEqual([first, second]);
	const moved = { ...second, items: [] };
	const onlySeen = episodeByItem(
		{ ...graph, episodes: [moved] },
		collectUnits(graph, [second], () => false),
	);
	expect(inSecond && onlySeen(inSecond)).toBe(second);
});
