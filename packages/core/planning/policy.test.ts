import { expect, test } from "vitest";
import type { Strip } from "../log/pass.ts";
import { viewOfLog } from "../log/view.ts";
import { paper } from "../policies/paper.ts";
import * as draft from "../test-support/message-builders.ts";
import { planInput, requestSize } from "../test-support/simulation.ts";
import { act, lookAndFix, mark, shrink, use } from "../test-support/small-sessions.ts";
import { makePass } from "./make-pass.ts";

const { model, person, result, text } = draft;

test("prologue, user turns, open episodes and the exchange in progress stay, and are named as blockers", () => {
	const session = [
		person(5),
		...act("done", []),
		model(mark(draft.startExpl("s", "look"))),
		result("s", 1),
		...use("read", "a"),
		person(7),
		...use("read", "b"),
	];
	const { pass, evicted } = shrink(session, 100_000);
	expect(evicted).toEqual(["done start", "done start result", "done end", "done end result"]);
	expect(pass?.blockers).toEqual([
		{ code: "open-episode", episode: "look", origin: "declared", tokens: 242 },
		{ code: "user-turns", tokens: 7 },
		{ code: "prologue", tokens: 5 },
	]);
});

test("an open run that nobody marked is a blocker that the model cannot end", () => {
	const { pass } = shrink([person(), ...use("read", "r"), ...use("read", "q")], 100_000);
	const run = pass?.blockers.find(({ code }) => code === "open-episode");
	expect(run).toMatchObject({ origin: "inferred", tokens: 240 });
});

test("a pass tells its policy, its budget, the size before and after, and no blockers when it met the budget", () => {
	const { pass, total } = shrink(lookAndFix, 100);
	expect(pass).toMatchObject({
		version: 1,
		policy: "paper",
		budget: total - 100,
		before: total,
		after: total - 120,
	});
	expect(pass?.blockers).toEqual([]);
	expect(pass?.newest).toBe(`${lookAndFix.length - 1}.0`);
	expect(shrink([...lookAndFix, draft.silence()], 100).pass?.newest).toBe(`${lookAndFix.length - 1}.0`);
});

test("a pass that reaches exactly its budget has met it", () => {
	const { pass } = shrink(lookAndFix, 120);
	expect(pass).toMatchObject({ after: pass?.budget, blockers: [] });
	expect(pass).not.toHaveProperty("folds");
});

test("the fixed cost counts toward the budget", () => {
	const graph = draft.fold(...lookAndFix);
	const fixed = { system: 1_000, tools: 2_000 };
	const total = requestSize(graph);
	const plan = (budget: number) => paper.plan(planInput(graph, viewOfLog([]), { budget, fixed }));
	expect(plan(total + 3_000)).toBeUndefined();
	expect(plan(total + 2_999)?.strips).toHaveLength(1);
});

test("of an open episode, what an earlier pass took and what this one takes block nothing", () => {
	const session = [
		person(5),
		model(mark(draft.startExpl("s", "look"))),
		result("s", 1),
		...use("grep", "a"),
		...use("grep", "b"),
		person(7),
		model(text()),
	];
	const graph = draft.fold(...session);
	const strip = { episode: "look", level: 2 as const, items: ["3.0", "3.1"], tokens: 120 };
	const sizes = { version: 1 as const, policy: "cwl", budget: 0, before: 0, after: 0 };
	const view = viewOfLog([{ ...sizes, strips: [strip], blockers: [] }]);
	const input = planInput(graph, view, { budget: 40 });
	const left = 2 + 10 + 120;
	const blockersOf = (strips: readonly Strip[], after: number) =>
		makePass("cwl", input, 0, after, strips).blockers;
	expect(blockersOf([], left + 12)).toEqual([
		{ code: "open-episode", episode: "look", origin: "declared", tokens: left },
		{ code: "user-turns", tokens: 7 },
		{ code: "prologue", tokens: 5 },
	]);
	const more = { episode: "look", level: 2 as const, items: ["5.1"], tokens: 100 };
	expect(blockersOf([more], left - 100 + 12)[0]).toMatchObject({ episode: "look", tokens: left - 100 });
	const halves = [
		{ ...more, tokens: 60 },
		{ ...more, tokens: 40 },
	];
	expect(blockersOf(halves, left - 100 + 12)).toEqual(blockersOf([more], left - 100 + 12));
	expect(blockersOf([more], 40)).toEqual([]);
	expect(blockersOf([more], 41)).not.toEqual([]);
});
