import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import {
	call,
	failure,
	fold,
	labelOf,
	model,
	person,
	result,
	text,
} from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { openScene } from "./batch-policy.ts";
import { findTwins } from "./item-texts.ts";

/** So many different words, so that runs of four are as many but three. */
function words(count: number, from = 0): string {
	return Array.from({ length: count }, (_, at) => `w${from + at}`).join(" ");
}

/** For each output with a younger one like it: that one, and how alike they are. Outputs by their call, oldest first. */
function twinsOf(outputs: Readonly<Record<string, string>>, failed: readonly string[] = []) {
	const drafts = Object.keys(outputs).flatMap((id) => [
		model(call(id, "read")),
		failed.includes(id) ? failure(id) : result(id),
	]);
	const graph = fold(person(), ...drafts, person(), model(text()));
	const input = {
		...planInput(graph, viewOfLog([]), { budget: 10 }),
		textOf: (item: Parameters<typeof labelOf>[0]) => outputs[labelOf(item).replace(" result", "")] ?? "",
	};
	const twins = [...findTwins(openScene(input, graph.tokens))];
	return twins.map(([{ callId }, { unit, similarity }]) => [callId, unit.call.callId, similarity]);
}

test("outputs are as alike as the part of all their runs of words that both have", () => {
	expect(twinsOf({ old: words(23), new: words(23) })).toEqual([["old", "new", 1]]);
	expect(twinsOf({ old: words(23), new: words(43) })).toEqual([["old", "new", 20 / 40]]);
	expect(twinsOf({ old: words(33), new: words(33, 10) })).toEqual([["old", "new", 20 / 40]]);
	expect(twinsOf({ old: words(23), new: words(23, 100) })).toEqual([]);
});

test("of several younger outputs the one most like it counts, of equal ones the youngest", () => {
	const like = twinsOf({ old: words(23), close: words(25), far: words(43) });
	expect(like.find(([id]) => id === "old")).toEqual(["old", "close", 20 / 22]);
	const equal = twinsOf({ old: words(23), middle: words(23), young: words(23) });
	expect(equal).toEqual([
		["middle", "young", 1],
		["old", "young", 1],
	]);
});

test("outputs of fewer than twelve runs are alike by accident, and failed ones are no outputs", () => {
	expect(twinsOf({ old: words(15), new: words(15) })).toHaveLength(1);
	expect(twinsOf({ old: words(14), new: words(14) })).toEqual([]);
	expect(twinsOf({ old: words(23), new: words(23) }, ["new"])).toEqual([]);
});
