/** Scores are compared, never restated: what raises one, what lowers one, and what must not matter. */
import { describe, expect, test } from "vitest";
import type { Timeline } from "../graph/history.ts";
import { collectUnits } from "../planning/units.ts";
import * as draft from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { createUnitScore, type Evidence, scoreWords } from "./cwl.ts";

const { exchange, call, end, fold, model, person, result, startAct, startExpl } = draft;

/** Everything is equally old, so that only what a test changes differs. */
const time: Timeline = { age: () => 500, turns: () => 3, sinceNamed: () => 900, sinceEdited: () => 700 };

interface Change
	extends Partial<Omit<Evidence, "graph" | "tools" | "time" | "freshness">>,
		Partial<Timeline> {
	/** The share of lines that nothing younger shows. */
	readonly fresh?: number;
}

/** The score of the call with this id. */
function scoreOf(callId: string, drafts: readonly draft.MessageDraft[], change: Change = {}): number {
	const graph = fold(person(), ...drafts);
	const { units } = collectUnits(graph, graph.episodes, () => false);
	const unit = units.find(({ call }) => call.callId === callId);
	if (!unit) throw new Error(`no unit ${callId}`);
	const { fresh = 0, regrets = new Map(), ...times } = change;
	const evidence = { graph, tools: testTools, regrets };
	const freshness = new Map([[unit, fresh]]);
	return createUnitScore({ ...evidence, time: { ...time, ...times }, freshness })(unit);
}

const use = (id: string, tool: string, args = {}) => [model(call(id, tool, args)), result(id, 90)];
const search = (change: Change = {}) => scoreOf("g", use("g", "grep"), change);
/** A search that names a file. */
const searchOfFile = (change: Change = {}) =>
	scoreOf("g", [model(call("g", "grep", {}, 10, { paths: ["a.ts"] })), result("g", 90)], change);
const words = (change: Partial<Timeline> = {}, tokens = 100) => scoreWords({ ...time, ...change }, 1, tokens);

/** Each score is below the next one. */
function expectRising(...scores: readonly number[]) {
	for (const [index, score] of scores.slice(1).entries())
		expect(score).toBeGreaterThan(scores[index] ?? score);
}

describe("by what a call is", () => {
	test("edits and the content of files are worth the same, and more than searches and runs", () => {
		const read = scoreOf("r", use("r", "read"));
		expectRising(search(), read);
		expect(scoreOf("w", use("w", "edit"))).toBe(read);
		expect(scoreOf("b", use("b", "bash", { command: "make" }))).toBe(search());
	});

	test("words alone are worth more than a search of the same age and size, and less than a file", () => {
		expectRising(search(), words(), scoreOf("r", use("r", "read")));
	});

	test("what recall brought back is worth less than a search, and more than a file when it was asked for again", () => {
		const recall = (id: string) => use(id, "recall", { query: "look" });
		const again = [...recall("a"), ...recall("b")];
		expectRising(scoreOf("a", recall("a")), search());
		expectRising(scoreOf("r", use("r", "read")), scoreOf("b", again));
		expect(scoreOf("a", again)).toBe(scoreOf("a", recall("a")));
	});
});

describe("by time and size", () => {
	const times = [0, 1_000, 10_000, 100_000];
	const falling = (score: (time: number) => number) => expectRising(...times.map(score).reverse());

	test("a call that names files falls with the time since they were named, not with its own age", () => {
		falling((since) => searchOfFile({ sinceNamed: () => since }));
		expect(searchOfFile({ age: () => 9_000 })).toBe(searchOfFile());
	});

	test("a call without files falls with its age, whenever files were named", () => {
		falling((age) => search({ age: () => age }));
		expect(search({ sinceNamed: () => 9_000 })).toBe(search());
	});

	test("every call falls with the time since the last edit and with user turns", () => {
		for (const score of [search, searchOfFile]) {
			falling((since) => score({ sinceEdited: () => since }));
			falling((turns) => score({ turns: () => turns }));
		}
	});

	test("larger units fall", () => {
		const ofSize = (tokens: number) => scoreOf("g", [model(call("g", "grep", {}, 1)), result("g", tokens)]);
		falling(ofSize);
	});

	test("words fall with age, time since the last edit, user turns and size", () => {
		falling((age) => words({ age: (message) => (message === 1 ? age : 500) }));
		falling((since) => words({ sinceEdited: () => since }));
		falling((turns) => words({ turns: () => turns }));
		falling((tokens) => words({}, tokens));
	});

	test("the same difference matters less between older and between larger units", () => {
		const loss = (score: (value: number) => number, from: number) => score(from) - score(from + 1_000);
		for (const score of [
			(age: number) => search({ age: () => age }),
			(since: number) => searchOfFile({ sinceNamed: () => since }),
			(since: number) => search({ sinceEdited: () => since }),
			(turns: number) => search({ turns: () => turns }),
			(tokens: number) => words({}, tokens),
		]) {
			expectRising(loss(score, 20_000), loss(score, 0));
		}
	});
});

describe("by what is known of it", () => {
	test("lines that nothing younger shows raise a score by their share", () => {
		expectRising(search(), search({ fresh: 0.25 }), search({ fresh: 1 }));
		expect(search({ fresh: 1 }) - search({ fresh: 0.5 })).toBeCloseTo(search({ fresh: 0.5 }) - search());
	});

	test("reading it again after a pass raises a score each time, and not that of a recall", () => {
		const scoreAfter = (tool: string, times: number) =>
			scoreOf("g", use("g", tool), { regrets: new Map([["1.0", times]]) });
		expectRising(scoreAfter("grep", 0), scoreAfter("grep", 1), scoreAfter("grep", 3));
		expect(scoreAfter("recall", 3)).toBe(scoreAfter("recall", 0));
	});
});

describe("by what an output says", () => {
	const shows = (id: string, names: readonly number[], tool = "bash", tokens = 10) => [
		model(call(id, tool, { command: "make" }, tokens, { names: [] })),
		result(id, 90, { names }),
	];
	const second = (names: readonly number[], tool?: string, tokens?: number) =>
		scoreOf("b", [...shows("a", [1, 2]), ...shows("b", names, tool, tokens)]);

	test("the output of a short command without any new name goes before everything else", () => {
		expectRising(second([2, 1]), second([1, 3]));
		expect(second([])).toBe(second([1, 2]));
		expect(second([1, 2])).toBeLessThan(search({ age: () => 100_000 }));
	});

	test("names tell nothing of other tools, of long commands, or where nobody looked for them", () => {
		expect(second([1], "grep")).toBe(second([3], "grep"));
		expect(second([1], "bash", 101)).toBe(second([3], "bash", 101));
		expectRising(second([1], "bash", 100), second([3], "bash", 100));
		expect(scoreOf("b", use("b", "bash", { command: "make" }))).toBe(scoreOf("b", shows("b", [3]), {}));
	});

	test("what another machine answered stays longer, until the user's next turn", () => {
		const remote = (turns: number) =>
			scoreOf("b", use("b", "bash", { command: "gh pr view 7 --json reviews" }), { turns: () => turns });
		const local = (turns: number) =>
			scoreOf("b", use("b", "bash", { command: "make" }), { turns: () => turns });
		expectRising(local(0), remote(0));
		expect(remote(1)).toBe(local(1));
		expectRising(
			scoreOf("m", use("m", "other"), { turns: () => 0 }),
			scoreOf("m", use("m", "mcp__tracker__get_issue"), { turns: () => 0 }),
		);
	});
});

describe("by the model's marks", () => {
	const expl = [
		...exchange(startExpl("look s", "look")),
		...use("g", "grep"),
		...exchange(end("look e", "x")),
	];
	const act = (...dependencies: readonly string[]) => [
		...exchange(startAct("s", "fix", ...dependencies)),
		...use("w", "edit"),
	];
	const closed = [model(end("e")), result("e")];

	test("an expl that an open act declared is needed, and finished once the act is closed", () => {
		const neither = scoreOf("g", expl);
		const finished = scoreOf("g", [...expl, ...act("look"), ...closed]);
		expectRising(finished, neither, scoreOf("g", [...expl, ...act("look")]));
		expect(neither).toBe(search());
	});

	test("acts that declare nothing leave an expl as it is", () => {
		expect(scoreOf("g", [...expl, ...act()])).toBe(scoreOf("g", expl));
		expect(scoreOf("g", [...expl, ...act(), ...closed])).toBe(scoreOf("g", expl));
	});

	test("an act is finished by its own end; what nobody marked never is", () => {
		expectRising(scoreOf("w", [...act(), ...closed]), scoreOf("w", act()));
		expect(scoreOf("w", act())).toBe(scoreOf("w", use("w", "edit")));
		expect(scoreOf("w", [...use("w", "edit"), person()])).toBe(scoreOf("w", use("w", "edit")));
	});
});
