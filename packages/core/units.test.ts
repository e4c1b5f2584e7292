import { expect, test } from "vitest";
import { foldTranscript } from "./fold.ts";
import { build, call, labelOf, type MessageDraft, model, person, result } from "./test-support/drafts.ts";
import { defaultToolTable } from "./tool-table.ts";
import { survey } from "./units.ts";

function unitsOf(drafts: readonly MessageDraft[]) {
	const graph = foldTranscript(build(drafts), defaultToolTable);
	const { units } = survey(graph, graph.episodes, () => false);
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

test("a unit comes to its call, its result and what came twice; one without a result to its call", () => {
	const graph = foldTranscript(
		build([
			person(),
			model(call("a", "read", {}, 5), call("b", "read", {}, 7)),
			result("a", 90),
			result("a", 40),
		]),
		defaultToolTable,
	);
	const { units } = survey(graph, graph.episodes, () => false);
	expect(units.map(({ tokens }) => tokens)).toEqual([135, 7]);
});
