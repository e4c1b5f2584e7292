import { describe, expect, test } from "vitest";
import type { PlanInput } from "../planning/policy.ts";
import { ending, pass, use } from "../test-support/cwl-passes.ts";
import { call, model, person, result, startAct, startExpl, text } from "../test-support/message-builders.ts";
import { expl } from "../test-support/small-sessions.ts";

describe("what goes first", () => {
	test("searches and runs go before the content of files, and what the agent wrote", () => {
		const work = [...use("read", "r"), ...use("edit", "w"), ...use("bash", "b")];
		const session = [person(), ...work, ...ending];
		expect(pass(session).evicted).toEqual(["b", "b result"]);
		expect(pass(session, { budget: 600 }).evicted).toEqual(["r", "r result", "b", "b result"]);
	});

	test("a read whose lines are shown again goes before one that shows them alone", () => {
		const session = [
			person(),
			...use("read", "old", "a.ts", [1, 2, 3]),
			...use("read", "other", "b.ts", [7, 8, 9]),
			...use("read", "new", "a.ts", [1, 2, 3]),
			...ending,
		];
		expect(pass(session).evicted).toEqual(["old", "old result"]);
	});

	test("what the disk can give back goes before what nothing can", () => {
		const session = [person(), ...use("read", "kept"), ...use("read", "changed"), ...ending];
		const can = (callId: string) => callId !== "kept";
		expect(pass(session, { canRestore: (each) => can(each.callId) }).evicted).toEqual([
			"changed",
			"changed result",
		]);
		expect(pass(session, { canRestore: (each) => !can(each.callId) }).evicted).toEqual([
			"kept",
			"kept result",
		]);
	});

	test("what shows otherwise because the agent changed it is not lost for good", () => {
		const reads = [...use("read", "a"), ...use("read", "b")];
		const edits = [...use("edit", "edit-a", "a.ts"), ...use("edit", "edit-b", "b.ts")];
		const canRestore: PlanInput["canRestore"] = ({ callId }) => (callId === "a" ? false : undefined);
		const session = [person(), ...reads, ...edits, ...ending];
		expect(pass(session, { canRestore }).evicted).toEqual(["a", "a result"]);
	});

	test("what recall brought back goes first, but for the newest copy of what was asked for again", () => {
		const recall = (id: string, query: string) => [model(call(id, "recall", { query })), result(id, 90)];
		const look = [...use("bash", "b"), ...recall("once", "a.ts"), ...use("read", "r")];
		expect(pass([person(), ...look, ...ending]).evicted).toEqual(["once", "once result"]);
		const again = [...look, ...recall("other", "a.ts, page 2"), ...recall("again", " A.ts")];
		const session = [person(), ...again, ...ending];
		const { total } = pass(session);
		expect(
			pass(session, { budget: total - 250 }).evicted.filter((label) => !label.endsWith("result")),
		).toEqual(["b", "once", "other"]);
	});

	test("what had to be read again after a pass stays longer than what was read once, and the longer the oftener", () => {
		const lines = [1, 2, 3, 4];
		const first = [person(), ...use("read", "a", "a.ts", lines), ...use("bash", "b", "b.ts"), ...ending];
		const { log, evicted } = pass(first, { budget: 450 });
		expect(evicted).toContain("a");
		const again = [
			...first,
			...use("read", "again", "a.ts", lines),
			...use("read", "once", "c.ts", [7, 8, 9]),
		];
		const session = [...again, person(), ...ending];
		expect(pass(session, {}, log).evicted).not.toContain("again");
		expect(pass(session, {}, log).evicted).toContain("once");
		expect(pass(session).evicted).not.toContain("once");
	});

	test("what an open act depends on stays longest", () => {
		const session = [
			person(),
			...expl("needed", ...use("read", "n")),
			...expl("other", ...use("read", "o")),
			model(startAct("s", "fix", "needed")),
			result("s", 1),
			...use("edit", "w"),
			...ending,
		];
		expect(pass(session).evicted).toContain("o");
		expect(pass(session).evicted).not.toContain("n");
	});
});

test("old reasoning goes before any call, and as the lowest level", () => {
	const thinks = (id: string) => [
		model({ type: "reasoning", tokens: 60 }, call(id, "grep"), text()),
		result(id, 90),
	];
	const session = [person(), ...thinks("a"), person(), ...thinks("b"), person(), ...ending];
	const { made, evicted } = pass(session);
	expect(evicted).toEqual(["reasoning"]);
	expect(made?.strips.map(({ level }) => level)).toEqual([1]);
});

test("a large output of a tool that nobody described leaves as bulk, a small one does not", () => {
	const levels = (tokens: number) => {
		const asked = [model(call("m", "mystery", {}, 10)), result("m", tokens)];
		return pass([person(), ...asked, ...ending]).made?.strips.map(({ level }) => level);
	};
	expect([levels(400), levels(399)]).toEqual([[2], [3]]);
});

test("old words leave down to low water, not only to the budget", () => {
	const turns = Array.from({ length: 10 }, () => [person(1), model(text(100))]).flat();
	const { made, evicted } = pass([...turns, ...ending], { lowWater: 0.5 });
	expect(new Set(evicted)).toEqual(new Set(["text"]));
	expect(made?.after).toBeLessThan(0.75 * (made?.budget ?? 0));
});

test("words are as old as the last of them, and the young stay longer than a search of the same turn", () => {
	const turns = Array.from({ length: 4 }, () => [person(), model(text(10))]).flat();
	const session = [...turns, person(), ...use("grep", "g"), person(1), model(text(100)), ...ending];
	const { total } = pass(session);
	const { evicted } = pass(session, { budget: total - 100, lowWater: 1 });
	expect(evicted).toContain("g");
});

test("what the agent said in an episode that is open leaves after its calls, and the marks stay", () => {
	const begun = [person(), model(startExpl("s", "look")), result("s", 1), model(text(300))];
	const session = [...begun, ...use("read", "r"), ...ending];
	const { total } = pass(session);
	expect(pass(session, { budget: total - 10 }).evicted).toEqual(["r", "r result"]);
	expect(pass(session, { budget: total - 150 }).evicted).toEqual(["text", "r", "r result"]);
});
