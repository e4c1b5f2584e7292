import { describe, expect, test } from "vitest";
import { answered, call, model, person, reasoning, text } from "../test-support/message-builders.ts";
import { ending, open, passOfCwl as pass, useFile as use } from "../test-support/small-sessions.ts";

describe("what goes first", () => {
	test("the oldest goes first, and later what belongs to a file that was edited since", () => {
		const session = [person(), ...use("read", "a", "a.ts"), ...use("read", "b", "b.ts"), ...ending];
		expect(pass(session).evicted).toEqual(["a", "a result"]);
		const edited = [...session.slice(0, -2), ...use("edit", "w", "a.ts"), ...ending];
		expect(pass(edited).evicted).toEqual(["b", "b result"]);
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
});

test("old reasoning goes before any call, and as the lowest level", () => {
	const thinks = (id: string) => answered(90, reasoning(60), call(id, "grep"), text());
	const session = [person(), ...thinks("a"), person(), ...thinks("b"), person(), ...ending];
	const { pass: made, evicted } = pass(session);
	expect(evicted).toEqual(["reasoning"]);
	expect(made?.strips.map(({ level }) => level)).toEqual([1]);
});

test("words are as old as the last of them, and the young stay longer than a search of the same turn", () => {
	const turns = Array.from({ length: 4 }, () => [person(), model(text(10))]).flat();
	const session = [...turns, person(), ...use("grep", "g"), person(1), model(text(100)), ...ending];
	const { total } = pass(session);
	const { evicted } = pass(session, { budget: total - 100, lowWater: 1 });
	expect(evicted).toContain("g");
});

test("what the agent said in an episode that is open leaves after its calls, and the marks stay", () => {
	const session = [person(), ...open("look", model(text(300)), ...use("read", "r")), ...ending];
	const { total } = pass(session);
	expect(pass(session, { budget: total - 10 }).evicted).toEqual(["r", "r result"]);
	expect(pass(session, { budget: total - 150 }).evicted).toEqual(["text", "r", "r result"]);
});
