import { expect, test } from "vitest";
import { call, fold, type ItemDraft, model, person, result, text } from "../test-support/message-builders.ts";
import { isEdit, readTimeline } from "./timeline.ts";
import { defaultToolTable } from "./tool-table.ts";

const on = (tool: string, id: string, path: string) => ({
	...call(id, tool, { path }, 5),
	digest: { lines: [], paths: [path] },
});
const time = readTimeline(
	fold(
		person(100),
		model(on("read", "r", "a.ts")),
		result("r", 20),
		person(7),
		{ author: "user", items: [] },
		model(on("edit", "e", "b.ts"), text(1)),
		result("e", 2),
	),
	defaultToolTable,
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

test("an edit is a call that writes what it carries, by an edit tool or as a patch", () => {
	const edits = (item: ItemDraft) =>
		fold(person(), model(item), result("c")).messages.flatMap((message) =>
			message.items.map((item) => isEdit(defaultToolTable, item)),
		);
	expect(edits(call("c", "edit", { path: "a.ts" }))).toEqual([false, true, false]);
	expect(edits(call("c", "read", { path: "a.ts" }))).toEqual([false, false, false]);
	expect(edits(call("c", "bash", { command: "rm a.ts" }))).toEqual([false, false, false]);
	expect(edits(call("c", "apply", { patch: "*** Begin Patch\n..." }))).toEqual([false, true, false]);
	expect(edits(text())).toEqual([false, false, false]);
});
