import { describe, expect, test } from "vitest";
import { timelineOf } from "../graph/history.ts";
import { viewOfLog } from "../log/view.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { createLookChance } from "./chance.ts";
import { collectUnits, episodesOfWords } from "./units.ts";

const { call, fold, labelOf, model, person, result, text } = draft;

const use = (id: string, path: string, tokens: number, lines: readonly number[], tool = "read") => [
	model(call(id, tool, { path }, 100, { paths: [path] })),
	result(id, tokens - 100, { lines }),
];
const later = (tokens: number) => [model(text(tokens)), person(0)];

/** The chances of a second look at these calls, and the facts that they follow from. */
function outlooks(...drafts: readonly draft.MessageDraft[]) {
	const graph = fold(...drafts);
	const visible = collectUnits(graph, viewOfLog([]), graph.episodes);
	const input = planInput(graph, { budget: 160_000 });
	const lookChanceOf = createLookChance({ input, visible, time: timelineOf(graph.history) });
	const calls = visible.units.map((unit) => [labelOf(unit.call), lookChanceOf(unit)] as const);
	return { calls: Object.fromEntries(calls), words: episodesOfWords(visible).map(lookChanceOf) };
}

const odds = (chance = 0) => chance / (1 - chance);

test("the worked example of docs/how-it-decides.md: 2,000 tokens that nothing younger shows", () => {
	const { calls } = outlooks(person(19_900), ...use("old", "a.ts", 2_000, [1]), ...later(18_100));
	expect(calls.old).toMatchObject({ alone: 2_000, age: 20_000, edited: 40_000 });
	expect(odds(calls.old?.chance)).toBeCloseTo((0.22 * 2_050) / (22_000 ** 0.5 * 42_000 ** 0.3), 6);
	expect(calls.old?.chance).toBeCloseTo(0.111, 3);
});

describe("the chance of a second look", () => {
	const of = (...drafts: readonly draft.MessageDraft[]) =>
		outlooks(person(10), ...drafts).calls.old?.chance ?? 0;
	const old = use("old", "a.ts", 2_000, [1, 2, 3, 4]);

	test("falls by the lines that a younger call shows", () => {
		const shown = (lines: readonly number[]) =>
			of(...old, ...use("new", "b.ts", 200, lines), ...later(5_000));
		expect(shown([])).toBeGreaterThan(shown([1]));
		expect(odds(shown([])) / odds(shown([1, 2, 3, 4]))).toBeCloseTo(2_050 / 50, 6);
	});

	test("is higher for an expl that an open act declares", () => {
		const look = [
			model(draft.startExpl("e", "look")),
			result("e", 10),
			...old,
			model(draft.end("f", "found it")),
			result("f", 10),
		];
		const act = (...dependencies: readonly string[]) => [
			model(draft.startAct("a", "fix", ...dependencies)),
			result("a", 10),
		];
		expect(odds(of(...look, ...act("look"))) / odds(of(...look, ...act()))).toBeCloseTo(4, 6);
	});

	test("of words counts all of them, and has no file", () => {
		const { words } = outlooks(person(10), model(text(300)), person(0), ...later(5_000));
		expect(words[0]).toMatchObject({ alone: 300, edited: 5_310 });
	});
});
