import { expect, test } from "vitest";
import { call, fold, model, person, result, text } from "../test-support/message-builders.ts";
import { timelineOf } from "./history.ts";

const on = (tool: string, id: string, path: string) => ({
	...call(id, tool, { path }, 5),
	digest: { lines: [], paths: [path] },
});
const time = timelineOf(
	fold(
		person(100),
		model(on("read", "r", "a.ts")),
		result("r", 20),
		person(7),
		{ author: "user", items: [] },
		model(on("edit", "e", "b.ts"), text(1)),
		result("e", 2),
	).history,
);

test("age is what came after the end of a message, evicted or not", () => {
	expect([0, 1, 2, 3, 5, 6].map(time.age)).toEqual([40, 35, 15, 8, 2, 0]);
	expect(time.age(99)).toBe(140);
});

test("turns are those of people, and who says nothing takes none", () => {
	expect([0, 2, 3, 6].map(time.turns)).toEqual([1, 1, 0, 0]);
	expect(time.turns(99)).toBe(2);
});

test("files are named by calls and edited by edits; one that never was is as old as the session", () => {
	expect(time.sinceNamed(["a.ts"])).toBe(35);
	expect(time.sinceNamed(["a.ts", "b.ts"])).toBe(2);
	expect(time.sinceEdited(["b.ts"])).toBe(2);
	expect(time.sinceEdited(["a.ts"])).toBe(140);
	expect(time.sinceNamed([])).toBe(140);
});
