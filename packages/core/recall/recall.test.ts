import { expect, test } from "vitest";
import { MAX_NAME_LENGTH } from "#basics";
import * as draft from "../test-support/message-builders.ts";
import { RECALL } from "../transcript/tool-table.ts";
import { createRecallIndex, type Found } from "./recall.ts";

const { call, end, labelOf, exchange, model, note, person, reasoning, result, startExpl, text } = draft;

function indexOf(...drafts: readonly draft.MessageDraft[]) {
	return createRecallIndex(draft.fold(...drafts));
}

/** The items of each part by their labels. */
function labels(found: Found | undefined): readonly string[] {
	return found?.parts.map(({ items }) => items.map(labelOf).join(" + ")) ?? [];
}

/** The call of each part by its id. */
function callIds(found: Found | undefined): readonly string[] {
	return found?.parts.map(({ items }) => labelOf(items[0])) ?? [];
}

function on(path: string, callId: string, tool = "read"): draft.ItemDraft {
	return call(callId, tool, {}, 10, { paths: [path] });
}

const session = [
	person(),
	model(startExpl("s", "look"), reasoning(), on("src/a.ts", "r1"), text()),
	result("s"),
	result("r1"),
	model(on("src/a.ts", "r2", "edit"), on("lib/b.ts", "r3"), end("e", "seen")),
	...["r2", "r3", "e"].map((id) => result(id)),
	note(),
];

test("the parts of an episode are numbered in the order in which they came, calls with their results", () => {
	const { find } = indexOf(...session);
	const calls = ["r1", "r2", "r3", "e"].map((id) => `${id} + ${id} result`);
	expect(labels(find("look"))).toEqual(["s + s result", "reasoning", calls[0], "text", ...calls.slice(1)]);
	expect(labels(find("look#3"))).toEqual(["r1 + r1 result"]);
	expect(labels(find("r1"))).toEqual(["r1 + r1 result"]);
	expect(find("look#8")).toBeUndefined();
	expect(find("lock")).toBeUndefined();
});

test("a file answers the calls that worked on it, the newest first, whole path or end of it", () => {
	const { findPath } = indexOf(...session);
	for (const path of ["src/a.ts", "a.ts", "/home/me/project/src/a.ts", "./src/a.ts"]) {
		expect(labels(findPath(path))).toEqual(["r2 + r2 result", "r1 + r1 result"]);
	}
	expect(labels(findPath("lib/b.ts"))).toEqual(["r3 + r3 result"]);
	for (const path of ["c.ts", "rc/a.ts", "other/a.ts", "src", ""]) expect(findPath(path)).toBeUndefined();
});

test("with the lines that a line names, a file answers no call that asked for other lines only", () => {
	const view = (callId: string, first?: number, last = Infinity) => {
		const [path, views] = [
			"src/a.ts",
			first === undefined ? {} : { views: [{ path: "src/a.ts", first, last }] },
		];
		return call(callId, "read", {}, 10, { paths: [path], ...views });
	};
	const { findPath } = indexOf(
		person(),
		model(view("whole"), view("start", 1, 80), view("rest", 300)),
		...["whole", "start", "rest"].map((id) => result(id)),
	);
	const found = (path: string) => callIds(findPath(path));
	expect(found("src/a.ts:1-80")).toEqual(["start", "whole"]);
	expect(found("src/a.ts:81-299")).toEqual(["whole"]);
	expect(found("src/a.ts:80-90")).toEqual(["start", "whole"]);
	expect(found("src/a.ts:200-300")).toEqual(["rest", "whole"]);
	expect(found("a.ts:60-90 400-")).toEqual(["rest", "start", "whole"]);
	expect(found("src/a.ts:12")).toEqual([]);
	// Digits that could belong to two ranges must not be tried in every way.
	expect(found(`src/a.ts:1${"-11".repeat(60)}!`)).toEqual([]);
	expect(found("src/a.ts")).toHaveLength(3);
});

test("what a recall brought is no work on the file", () => {
	const { findPath } = indexOf(person(), model(on("src/a.ts", "q", RECALL)), result("q"));
	expect(findPath("src/a.ts")).toBeUndefined();
});

test("an episode is asked for by its name, also where the name looks like a handle", () => {
	const { find, parts } = indexOf(
		person(),
		...exchange(startExpl("s", "look"), end("e", "x"), startExpl("s2", "look#1")),
	);
	expect(find("look#1")).toMatchObject({ type: "episode", episode: { name: "look#1" } });
	const first = parts.find(({ items }) => labelOf(items[0]) === "s");
	expect(first && labels(find(first.handle))).toEqual(["s + s result"]);
});

test("a name that a line could not show whole is known by what the line shows", () => {
	const name = `look ${"far ".repeat(30)}`;
	const { find } = indexOf(person(), ...exchange(startExpl("s", name)));
	expect(find(name.slice(0, MAX_NAME_LENGTH))).toMatchObject({ type: "episode" });
	expect(find(name.slice(0, 10))).toBeUndefined();
});
