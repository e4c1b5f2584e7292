import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { planSpentPass } from "./spent-outputs.ts";

const { call, fold, labelOf, model, person, reasoning, result, text } = draft;

/** A run of a command with an output of `tokens`. */
const run = (
	id: string,
	tokens: number,
	...thought: readonly draft.ItemDraft[]
): readonly draft.MessageDraft[] => [
	model(...thought, call(id, "bash", { command: id }, 5)),
	result(id, tokens),
];
const answered = [model(text(5)), person(5)];

function taken(drafts: readonly draft.MessageDraft[], spent: readonly string[]) {
	const graph = fold(...drafts);
	const input = planInput(graph, { budget: 100_000 });
	const pass = planSpentPass(input, "test", graph.tokens, () => (candidate) => {
		return candidate.unit && spent.includes(labelOf(candidate.unit.call)) ? -20 : 0;
	});
	const ids = new Set(pass?.strips.flatMap(({ items }) => items));
	const labels = graph.messages.flatMap(({ items }) => items.filter(({ id }) => ids.has(id)).map(labelOf));
	return spent.filter((label) => labels.includes(label));
}

const beginning = [person(5), ...Array.from({ length: 60 }, (_, at) => run(`r${at}`, 10)).flat()];

test("spent outputs near the end leave; one far back stays where its cut costs more than it frees", () => {
	const far = run("far", 1_000);
	const between = run("between", 30_000);
	const near = run("near", 3_000);
	expect(taken([...beginning, ...far, ...between, ...near, ...answered], ["far", "near"])).toEqual(["near"]);
	expect(taken([...beginning, ...far, ...near, ...answered], ["far", "near"])).toEqual(["far", "near"]);
});

test("a spent output stays where the thinking behind it is worth more than what it frees", () => {
	const thought = run("thought", 10, reasoning(4_000));
	expect(taken([...beginning, ...run("out", 1_000), ...run("calm", 10), ...answered], ["out"])).toEqual([
		"out",
	]);
	expect(taken([...beginning, ...run("out", 1_000), ...thought, ...answered], ["out"])).toEqual([]);
});

test("nothing is planned without a spent output", () => {
	expect(taken([...beginning, ...answered], [])).toEqual([]);
});
