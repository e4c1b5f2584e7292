import { describe, expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { measureMarks, type Nudge, nudgeFor } from "./marks.ts";

const { call, end, exchange, fold, model, person, result, startAct, startExpl, text } = draft;

test("a session without marks has no figures of marks", () => {
	expect(measureMarks(fold(person(), model(call("r", "read"))), testTools)).toBeUndefined();
});

test("marks that contradict the work, lack a dependency, or stay open are counted", () => {
	const graph = fold(
		person(),
		...[model(startExpl("1", "find")), result("1"), model(call("e", "edit", { path: "a" })), result("e")],
		...[model(end("2", "found")), result("2"), model(startAct("3", "look")), result("3")],
		...[model(call("r", "read", { path: "a" })), result("r"), model(end("4")), result("4")],
		...[...exchange(startAct("5", "fix", "find")), ...exchange(call("w", "write", { path: "b" }))],
	);
	const marks = measureMarks(graph, testTools);
	expect(marks).toMatchObject({
		episodes: 3,
		open: 1,
		actsWithoutDependencies: 1,
		explsThatEdit: 1,
		actsThatOnlyRead: 1,
	});
	expect(marks?.share).toBeGreaterThan(0.5);
});

const BUDGET = 10_000;

function nudge(drafts: readonly draft.MessageDraft[], last?: Nudge): string | undefined {
	return nudgeFor(fold(...drafts), testTools, BUDGET, last)?.text;
}

/** So many exchanges with one read each. */
function reads(times: number, tokens = 10): readonly draft.MessageDraft[] {
	return Array.from({ length: times }, (_, at) => [
		model(call(`r${at}`, "read", { path: "a.ts" })),
		result(`r${at}`, tokens),
	]).flat();
}

const opened = [person(), ...exchange(startExpl("s", "look"))];
const closed = [...opened, ...exchange(end("e", "seen"))];
const write = [...exchange(call("w", "edit", { path: "a.ts" }))];

test("a model that marks its work is told nothing", () => {
	expect(nudge([...opened, ...reads(20)])).toBeUndefined();
	expect(nudge([...closed, ...reads(7)])).toBeUndefined();
	expect(nudge([...closed, ...exchange(startAct("s2", "fix", "look")), ...write])).toBeUndefined();
});

describe("a model is reminded", () => {
	test("when it works for long without an episode", () => {
		expect(nudge([person(), ...reads(7)])).toBeUndefined();
		expect(nudge([person(), ...reads(8)])).toMatch(/^this work is not marked: start an episode/);
		expect(nudge([...closed, ...reads(8)])).toMatch(/^this work is not marked/);
		expect(nudge(reads(8))).toMatch(/^this work is not marked/);
		expect(nudge([person(), ...reads(7), model(text()), model(text())])).toBeUndefined();
	});

	test("when an episode that it left open has grown large", () => {
		expect(nudge([...opened, ...reads(2, 1_200)])).toMatch(/^expl "look" has grown large: end it with what/);
	});

	test("when it types writes as exploration", () => {
		expect(nudge([...opened, ...write])).toMatch(/^expl "look" changes things: end it/);
	});

	test("when an act is still open after the next message of the user", () => {
		const acting = [...closed, ...exchange(startAct("s2", "fix", "look")), ...write];
		expect(nudge([...acting, person(), ...reads(1)])).toMatch(
			/^act "fix" is open since before the last message/,
		);
		expect(nudge([...acting, ...exchange(end("e2")), person(), ...reads(1)])).toBeUndefined();
	});

	test("at most once in a while, and later about the same again", () => {
		const first = nudgeFor(fold(person(), ...reads(8)), testTools, BUDGET, undefined);
		expect(first?.exchange).toBe(8);
		expect(nudge([person(), ...reads(9)], first)).toBeUndefined();
		expect(nudge([...opened, ...reads(8), ...write], first)).toBeUndefined();
		expect(nudge([...opened, ...reads(17), ...write], first)).toBeUndefined();
		expect(nudge([...opened, ...reads(18), ...write], first)).toMatch(/changes things/);
		expect(nudge([person(), ...reads(67)], first)).toBeUndefined();
		expect(nudge([person(), ...reads(68)], first)).toBe(first?.text);
	});
});
