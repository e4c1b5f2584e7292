import { expect, test } from "vitest";
import { collectUnits } from "../planning/units.ts";
import { call, fold, model, person, result } from "../test-support/message-builders.ts";
import { measureFreshness } from "./cwl.ts";

const shows = (id: string, ...lines: readonly number[]) => {
	const { author, items } = result(id);
	return [
		model(call(id, "read")),
		{ author, items: items.map((item) => ({ ...item, digest: { lines, paths: [] } })) },
	];
};

test("a unit is fresh by the share of its lines that no younger unit shows, and not at all without lines", () => {
	const graph = fold(
		person(),
		...shows("old", 1, 2, 3, 4),
		...shows("none"),
		...shows("new", 1, 2, 3),
		...shows("other", 9),
	);
	const { units } = collectUnits(graph, graph.episodes, () => false);
	const shares = measureFreshness(units);
	expect(units.map((unit) => [unit.call.callId, shares.get(unit)])).toEqual([
		["old", 0.25],
		["none", 0],
		["new", 1],
		["other", 1],
	]);
});
