import { describe, expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import { type View, viewAfter, viewOfLog } from "../log/view.ts";
import { cwl } from "../policies/cwl.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput } from "../test-support/simulation.ts";
import { finishedWork, isSeam, planSeamPass, seamRecord } from "./seams.ts";

const { call, fold, model, person, result, text } = draft;

const noView = viewOfLog([]);
const settings = { budget: 100_000 };

let serial = 0;
const mark = (args: Record<string, unknown>) => {
	serial += 1;
	return { id: `m${serial}`, args };
};

/** One model message that makes delimiter calls and reads, as the prompt asks for, and the results. */
function exchange(
	marks: readonly Record<string, unknown>[],
	...reads: readonly string[]
): readonly draft.MessageDraft[] {
	const made = marks.map(mark);
	const calls = [
		...made.map(({ id, args }) => call(id, "delimiter", args, 20)),
		...reads.map((id) => call(id, "read", { path: `${id}.ts` }, 20)),
	];
	return [model(...calls), ...made.map(({ id }) => result(id, 5)), ...reads.map((id) => result(id, 3_000))];
}

const begin = (name: string) => ({ action: "start", name, type: "expl" });
const act = (name: string, ...dependencies: readonly string[]) => ({
	action: "start",
	name,
	type: "act",
	dependencies,
});
const learned = { action: "end", description: "learned" };
const done = { action: "end" };

/** A finished expl with its act, and the exchange in which the next expl begins. */
const seam = [
	person(10),
	...exchange([begin("look")], "a", "b"),
	...exchange([learned, act("fix", "look")], "c"),
	...exchange([done, begin("next")], "d"),
];

const names = (graph: Graph, view: View = noView) => finishedWork(graph, view).map(({ name }) => name);
const inputFor = (graph: Graph, view: View = noView) => planInput(graph, settings, view);
const takenBy = (pass: Pass | undefined) => pass?.strips.flatMap(({ items }) => items) ?? [];

describe("a seam", () => {
	test("is the request after an expl began, and no other", () => {
		expect(isSeam(fold(...seam))).toBe(true);
		expect(isSeam(fold(...seam.slice(0, -3)))).toBe(false);
		expect(isSeam(fold(...seam, ...exchange([], "e")))).toBe(false);
		expect(isSeam(fold(...seam, ...exchange([], "e"), person(5)))).toBe(false);
	});

	test("spares an expl that no act has declared until a later act has closed without it", () => {
		const two = [person(10), ...exchange([begin("look")], "a"), ...exchange([learned, begin("next")], "b")];
		expect(names(fold(...two))).toEqual([]);
		const later = [
			...two,
			...exchange([learned, act("fix", "next")], "c"),
			...exchange([done, begin("third")], "d"),
		];
		expect(names(fold(...later))).toEqual(["fix", "look", "next"]);
	});

	test("holds a group together that a later act joins", () => {
		const joined = [...seam, ...exchange([learned, act("fix both", "look", "next")], "e")];
		expect(names(fold(...joined))).toEqual([]);
	});
});

describe("a pass at a seam", () => {
	const graph = fold(...seam);
	const pass = planSeamPass(inputFor(graph), "cwl", 12_000);

	test("replaces finished work by one line for each episode, and leaves the exchange in progress", () => {
		expect(pass?.strips.map(({ episode, level, marker }) => [episode, level, marker !== undefined])).toEqual([
			["fix", 4, true],
			["look", 4, true],
		]);
		const inProgress = new Set(
			graph.messages.slice(graph.lastExchange).flatMap(({ items }) => items.map(({ id }) => id)),
		);
		expect(takenBy(pass).filter((id) => inProgress.has(id))).toEqual([]);
		expect(pass?.decision).toMatchObject({ reason: "next work begins" });
	});

	test("leaves the end of the act to the next pass, which makes no second cut for it", () => {
		const view = pass ? viewAfter(noView, pass) : noView;
		const further = fold(
			...seam,
			...exchange([learned, act("go", "next")], "e"),
			...exchange([done, begin("third")], "f"),
		);
		const second = planSeamPass(inputFor(further, view), "cwl", 12_000);
		const end = further.episodes
			.find(({ name }) => name === "fix")
			?.items.findLast(({ type }) => type === "call");
		expect(takenBy(second)).toContain(end?.id ?? further.episodes.length);
	});

	test("takes a last check that shares a message with the end, with a line, and spares one that a line would not shorten", () => {
		const session = (tokens: number) =>
			fold(
				person(10),
				...exchange([begin("look")], "a", "b"),
				...exchange([learned, act("fix", "look")], "c"),
				model(call("e", "delimiter", done, 20), call("check", "bash", { command: "npm test" }, 5)),
				result("e", 5),
				result("check", tokens),
				model(text(5)),
				person(10),
				...exchange([begin("next")], "d"),
			);
		const lineOf = (graph: Graph) => {
			const check = graph.episodes.find(({ origin }) => origin === "inferred");
			const strip = planSeamPass(inputFor(graph), "cwl", 12_000)?.strips.find(
				({ episode }) => episode === check?.id,
			);
			return strip?.marker?.text;
		};
		expect(lineOf(session(300))).toContain("evicted");
		expect(lineOf(session(1))).toBeUndefined();
	});

	test("spares what the model keeps and what a person pinned", () => {
		const kept = [
			person(10),
			...exchange([begin("look")], "a"),
			...exchange([{ ...learned, keep: true }, act("fix", "look")], "c"),
			...exchange([done, begin("next")], "d"),
		];
		const touched = (input: ReturnType<typeof inputFor>) =>
			planSeamPass(input, "cwl", 9_000)?.strips.map(({ episode }) => episode);
		expect(touched(inputFor(fold(...kept)))).toEqual(["fix"]);
		expect(touched({ ...inputFor(graph), pinned: new Set(["fix"]) })).toEqual(["look"]);
	});

	test("is made by the default policy once the session is long enough to pay it back, and not by Algorithm 1", () => {
		const talk = Array.from({ length: 30 }, () => [person(5), model(text(20))]).flat();
		const long = fold(...talk, ...seam);
		expect(cwl.plan(inputFor(long))?.decision?.reason).toBe("next work begins");
		expect(paper.plan(inputFor(long))).toBeUndefined();
	});
});

describe("what a session looks at again", () => {
	const graph = fold(...seam);
	const pass = planSeamPass(inputFor(graph), "cwl", 12_000);
	const view = pass ? viewAfter(noView, pass) : noView;

	test("includes an expl that an act declares after a seam took it, which reopens nothing", () => {
		const late = fold(...seam, ...exchange([learned, act("again", "look")], "e"));
		expect(seamRecord(late, view).again).toBe(late.episodes.find(({ name }) => name === "look")?.tokens);
		expect(late.episodes.find(({ name }) => name === "look")?.state).toBe("closed");
	});
});
