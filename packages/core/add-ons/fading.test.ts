import { expect, test } from "vitest";
import type { Reduction } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import type { PlanInput } from "../planning/policy.ts";
import * as draft from "../test-support/message-builders.ts";
import { passWith } from "../test-support/passes.ts";
import { planInput } from "../test-support/simulation.ts";
import { planFades } from "./fading.ts";

const { call, failure, fold, model, person, result, text } = draft;

/** A read whose output has so many tokens, in a turn of its own. */
const read = (id: string, tokens: number): readonly draft.MessageDraft[] => [
	model(call(id, "read", { path: id }, 0)),
	result(id, tokens),
	person(0),
];

/** A budget of 10,000 tokens of which nobody wrote any. Whatever came in the last 1,000 is hot. */
function inputOf(
	drafts: readonly draft.MessageDraft[],
	change: Partial<PlanInput> = {},
	fades: readonly Reduction[] = [],
) {
	const graph = fold(person(0), ...drafts, model(text(0)));
	const view = viewOfLog(fades.length > 0 ? [passWith({ reductions: fades })] : []);
	return planInput(graph, { budget: 10_000, ...change }, view);
}

/** The form of each output that fades, by call id, when all may. */
function ages(input: PlanInput, mode: "on" | "placeholder" = "on") {
	const callIds = new Map(
		input.graph.messages.flatMap(({ items }) =>
			items.flatMap((item) => (item.type === "call" ? [[item.id, item.callId] as const] : [])),
		),
	);
	return planFades(input, mode, 100_000, 0).map(({ item, form }) => `${callIds.get(item)} ${form}`);
}

test("an output fades from a quarter of the room on, further from half of it, and furthest from all of it", () => {
	const since = (tokens: number) => ages(inputOf([...read("old", 500), ...read("next", tokens)]))[0];
	expect(since(2_499)).toBeUndefined();
	expect([since(2_500), since(4_999)]).toEqual(["old 1", "old 1"]);
	expect([since(5_000), since(9_999)]).toEqual(["old 2", "old 2"]);
	expect(since(10_000)).toBe("old 3");
	// What people wrote takes room.
	expect(ages(inputOf([person(2_000), ...read("old", 500), ...read("next", 2_000)]))[0]).toBe("old 1");
});

test("outputs fade from 200 tokens on, where that frees a fifth of what is sent of them", () => {
	const next = read("next", 5_000);
	expect(ages(inputOf([...read("small", 199), ...read("large", 200), ...next]))).toEqual(["large 2"]);
	const to = (size: number | undefined) =>
		ages(inputOf([...read("old", 500), ...next], { reducedSize: () => size }));
	expect([to(400), to(401), to(undefined)]).toEqual([["old 2"], [], []]);
	const { reducedSize: _, ...without } = inputOf([...read("old", 500), ...next]);
	expect(ages(without)).toEqual([]);
});

test("what an earlier pass faded fades again at a greater form, if enough is left of it", () => {
	const faded = (form: 1 | 2, tokens: number) => [{ episode: "e", item: "1.0", form, tokens }];
	const again = (form: 1 | 2, tokens: number) =>
		ages(inputOf([...read("old", 900), ...read("next", 5_000)], {}, faded(form, tokens)));
	expect([again(1, 600), again(2, 600)]).toEqual([["old 2"], []]);
	expect([again(1, 700), again(1, 701)]).toEqual([["old 2"], []]);
});

test("the oldest fade first, as many as it takes, and failed calls never", () => {
	const failed = [model(call("f", "read", {}, 0)), failure("f", 500), person(0)];
	const input = inputOf([...failed, ...read("a", 900), ...read("b", 900), ...read("next", 5_000)]);
	const fade = (target: number) => planFades(input, "on", 8_000, target).length;
	// Each of two outputs goes from 900 to 100 tokens.
	expect([fade(8_000), fade(7_999), fade(7_200), fade(7_199), fade(0)]).toEqual([0, 1, 1, 2, 2]);
});
