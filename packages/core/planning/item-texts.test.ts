import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { openScene } from "./batch-policy.ts";
import { findTwins, namesIn, shinglesIn } from "./item-texts.ts";

const { call, failure, fold, labelOf, model, person, result, text } = draft;

const digest = { lines: [1, 2], paths: ["src/a.ts"] };

/** A reply, a call and its result, the last two with a digest. */
function items() {
	const graph = fold(person(), model(text(), call("c", "read", {}, 10, digest)), result("c", 10, digest));
	return graph.messages.flatMap((message) => message.items);
}

test("where the host gives no texts, the digests of calls and results stand in for them", () => {
	for (const item of items()) {
		const isKnown = item.type === "call" || item.type === "result";
		expect([...shinglesIn({}, item)]).toEqual(isKnown ? [1, 2] : []);
		expect([...namesIn({}, item)]).toEqual(isKnown ? ["src/a.ts"] : []);
	}
});

test("a text names its files and identifiers", () => {
	const [item] = items();
	if (!item) throw new Error("no item");
	const names = namesIn({ textOf: () => "src/a.ts has parseBudget" }, item);
	expect([...names]).toEqual(["src/a.ts", "a.ts", "parseBudget"]);
});

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
		...planInput(graph, { budget: 10 }),
		textOf: (item: Parameters<typeof labelOf>[0]) => outputs[labelOf(item).replace(" result", "")] ?? "",
	};
	const twins = [...findTwins(openScene(input, graph.tokens))];
	return twins.map(([{ callId }, { unit, similarity }]) => [callId, unit.call.callId, similarity]);
}

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
