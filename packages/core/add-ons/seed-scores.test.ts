/** The scores of seed 002 are compared: what raises one, what lowers one, and between which limits they lie. */
import { describe, expect, test } from "vitest";
import { openScene, outputs } from "../planning/batch-policy.ts";
import { findReferences } from "../planning/item-texts.ts";
import type { Candidate, CreateScore } from "../planning/units.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import type { Item } from "../transcript/transcript.ts";
import { createHybrid, createLifeLeft, createPriority } from "./seed-policies.ts";

const { answered, call, fold, labelOf, model, note, person, result, text } = draft;

/** Texts by label or id; items without one say nothing. */
type Texts = Readonly<Record<string, string>>;

const byPriority: CreateScore = (scene) => createPriority(scene, findReferences(scene));

/** Two calls of one answer, so that only what a test changes differs. */
const pair: readonly draft.MessageDraft[] = [
	model(call("a", "read"), call("b", "read")),
	result("a", 100),
	result("b", 100),
];
const answers = (count: number) => Array.from({ length: count }, () => model(text()));

/** The scores of the calls of a session, by call id, and of its replies in one. */
function scoresOf(
	create: CreateScore,
	drafts: readonly draft.MessageDraft[],
	texts: Texts = {},
	last: readonly draft.MessageDraft[] = [person(1)],
) {
	const graph = fold(person(), note(), ...drafts, ...last, model(text()));
	const textOf = (item: Item) => texts[item.id] ?? texts[labelOf(item)] ?? "";
	const settings = { budget: 10 };
	const scene = openScene({ ...planInput(graph, settings), textOf }, graph.tokens);
	const score = create(scene);
	const calls = outputs(scene).map((unit) => [unit.call.callId, score(unit)]);
	const [episode] = graph.episodes;
	if (!episode) throw new Error("no episode");
	const message = drafts.length + 1;
	const items = episode.items.filter(({ type }) => type === "text");
	const words: Candidate = { episode, items, message, tokens: 10 };
	return { ...Object.fromEntries(calls), words: score(words) };
}

describe.each([
	["priority", byPriority],
	["hybrid", createHybrid],
] as const)("by %s", (_name, create) => {
	test("what is older is worth less, also when both have outlived their kind", () => {
		const read = (id: string) => [model(call(id, "read")), result(id, 100)];
		const older = [...read("first"), ...answers(20), ...read("second"), ...answers(12)];
		const session = [...older, ...read("third"), ...answers(3), ...read("last")];
		const { first, second, third, last } = scoresOf(create, session);
		expect([last, third, second, first]).toEqual([first, second, third, last].toSorted((x, y) => y - x));
		expect(new Set([first, second, third, last]).size).toBe(4);
	});

	test("what holds more words of the task is worth more, and short words count for nothing", () => {
		const results = { "a result": "the parser and the lexer", "b result": "a parser" };
		const { a, b } = scoresOf(create, pair, { user: "Fix the parser of the lexer", ...results });
		expect(a).toBeGreaterThan(b);
		const short = scoresOf(create, pair, { user: "Fix the old one", "a result": "fix the old one" });
		expect(short.a).toBe(short.b);
		const four = scoresOf(create, pair, { user: "Fix the node", "a result": "a node" });
		expect(four.a).toBeGreaterThan(four.b);
		const one = scoresOf(create, pair, { user: "lexers", "a result": "the lexers" });
		expect(one.a).toBeGreaterThan(one.b);
	});

	test("the task is what the user wrote last, be it the first message", () => {
		const results = { "a result": "parsers", "b result": "lexers" };
		const told = { "0.0": "about parsers", "1.0": "about lexers", ...results };
		const begun = scoresOf(create, pair, told, []);
		expect(begun.a).toBeGreaterThan(begun.b);
		const later = scoresOf(create, pair, { ...told, "5.0": "now the lexers" });
		expect(later.b).toBeGreaterThan(later.a);
	});

	test("what more replies referred to is worth more, up to five of them", () => {
		// A name that many show refers to nothing, so each reply names another file.
		const files = (letter: string) => Array.from({ length: 9 }, (_, at) => `${letter}${at}.ts`);
		const replies = (of: string, count: number) =>
			Array.from({ length: count }, (_, at) => [...answered(1, call(`${of}${at}`, "edit"))]).flat();
		const score = (first: number, second: number) => {
			const texts: Record<string, string> = {
				"a result": files("a").join(" "),
				"b result": files("b").join(" "),
			};
			for (let at = 0; at < 9; at += 1) [texts[`x${at}`], texts[`y${at}`]] = [`a${at}.ts`, `b${at}.ts`];
			return scoresOf(create, [...pair, ...replies("x", first), ...replies("y", second)], texts);
		};
		const once = score(1, 0);
		const more = score(2, 1);
		const most = score(6, 5);
		const last = score(5, 4);
		expect(once.a).toBeGreaterThan(once.b);
		expect(more.a).toBeGreaterThan(more.b);
		expect(last.a).toBeGreaterThan(last.b);
		expect(most.a).toBeLessThan(1);
		expect(most.a).toBe(most.b);
	});

	test("replies are worth more than outputs of their age, and both lie between 0 and 1", () => {
		const last = [model(call("new", "read"), text()), result("new", 100)];
		const scores = scoresOf(create, [...pair, ...answers(40), ...last], {
			user: "some words",
			"new result": "some words",
		});
		for (const score of Object.values(scores)) {
			expect(score).toBeGreaterThan(0);
			expect(score).toBeLessThan(1);
		}
		const { words, c } = scoresOf(create, [model(call("c", "read"), text())]);
		expect(words).toBeGreaterThan(c);
	});
});

test("a name that three outputs show refers to each of them, and one that four show to none", () => {
	const four = ["a", "b", "c", "d"];
	const session = [
		model(...[...four, "other"].map((id) => call(id, "read"))),
		...[...four, "other"].map((id) => result(id, 100)),
		model(text()),
	];
	const score = (...showing: readonly string[]) => {
		const shown = showing.map((id) => [`${id} result`, "see names.ts"]);
		return scoresOf(byPriority, session, { ...Object.fromEntries(shown), "8.0": "names.ts it is" });
	};
	const three = score("a", "b", "c");
	for (const id of ["a", "b", "c"] as const) expect(three[id]).toBeGreaterThan(three.other);
	expect(score(...four).a).toBe(score(...four).other);
});

test("a reference is as old as the answers since then", () => {
	const idle: CreateScore = (scene) => findReferences(scene).idle;
	const texts = { "b result": "see names.ts", "5.0": "names.ts it is" };
	const ages = (count: number) => scoresOf(idle, [...pair, model(text()), ...answers(count)], texts);
	expect([ages(0).b, ages(3).b, ages(7).b]).toEqual([1, 4, 8]);
	expect(ages(3).a).toBe(ages(0).a + 3);
});

test("by hybrid, what a younger output shows again is worth less, the more of it the less", () => {
	const lines = (...from: readonly number[]) =>
		from.map((start) => Array.from({ length: 30 }, (_, at) => `w${start + at}`).join(" ")).join(" ");
	const texts = {
		"b result": lines(100, 200),
		"a result": lines(300, 500),
		"c result": lines(700, 800),
		"like result": `${lines(100, 200)} ${lines(300, 400)}`,
	};
	const session = [
		model(call("a", "read"), call("b", "read"), call("c", "read")),
		...["a", "b", "c"].map((id) => result(id, 100)),
		...answered(100, call("like", "read")),
	];
	const { a, b, c } = scoresOf(createHybrid, session, texts);
	expect(b).toBeLessThan(a);
	expect(a).toBeLessThan(c);
});

test("by type, an output lives for 8 requests and a reply for 30; the share that is left counts", () => {
	// The last answer is the exchange in progress.
	const left = (requests: number) =>
		scoresOf(createLifeLeft, [model(call("r", "read"), text()), result("r"), ...answers(requests - 1)]);
	expect([left(2).r, left(4).r, left(8).r, left(9).r]).toEqual([0.75, 0.5, 0, 0]);
});
