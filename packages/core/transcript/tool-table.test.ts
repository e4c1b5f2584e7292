import { expect, test } from "vitest";
import { call, fold, type ItemDraft, model, person, result, text } from "../test-support/message-builders.ts";
import { testTools } from "../test-support/tools.ts";
import { BULK_TOKENS, effectOf, isEdit, outputClass, showsFiles, type ToolTable } from "./tool-table.ts";

test("a tool without a row is judged by the size of what it returned", () => {
	expect(BULK_TOKENS).toBe(400);
	expect(outputClass(testTools, { tool: "mystery", arguments: {} }, BULK_TOKENS)).toBe("bulk");
	expect(outputClass(testTools, { tool: "mystery", arguments: {} }, BULK_TOKENS - 1)).toBe("intermediate");
});

test("an editor that views only looks, and what it shows is no record", () => {
	const editor = (args: object) => ({ tool: "str_replace_editor", arguments: { ...args } });
	const effect = ({ tool, arguments: args }: ReturnType<typeof editor>) => effectOf(testTools, tool, args);
	const view = editor({ command: "view", path: "a" });
	const change = editor({ command: "str_replace" });
	expect([effect(view), effect(change), effect(editor({}))]).toEqual(["reads", "writes", "writes"]);
	expect(outputClass(testTools, view, 0)).toBe("intermediate");
	expect(outputClass(testTools, change, 100 * BULK_TOKENS)).toBe("record");
	expect(showsFiles(testTools, view.tool, view.arguments)).toBe(true);
	expect(showsFiles(testTools, change.tool, change.arguments)).toBe(false);
});

test("a script does what the strongest of its calls does, and without calls its text decides", () => {
	const nested = { read: [{ tool: "read", arguments: {} }], mark: [{ tool: "delimiter", arguments: {} }] };
	const change = [{ tool: "edit", arguments: {} }];
	const calls = new Map([
		["look", [...nested.mark, ...nested.read]],
		["change", [...nested.read, ...change, ...nested.mark]],
		["talk", nested.mark],
	]);
	const table: ToolTable = {
		...testTools,
		script: { effect: "command", callsOf: ({ code }) => calls.get(String(code)) },
	};
	const effect = (code: string) => effectOf(table, "script", { code });
	expect([effect("look"), effect("change"), effect("talk")]).toEqual(["reads", "writes", "none"]);
	expect([effect("ls -l"), effect("rm a")]).toEqual(["reads", "writes"]);
});

test.each([
	["read", {}, true],
	["grep", {}, false],
	["edit", {}, false],
	["bash", { command: "cat a.ts" }, true],
	["bash", { command: "cd src && sed -n 1,9p a.ts" }, true],
	["bash", { command: "make test" }, false],
	["bash", {}, false],
	["unknown", {}, false],
] as const)("%s with %j shows the content of files: %j", (tool, args, shows) => {
	expect(showsFiles(testTools, tool, args)).toBe(shows);
});

test("an edit is a call that writes what it carries, by an edit tool or as a patch", () => {
	const edits = (item: ItemDraft) =>
		fold(person(), model(item), result("c")).messages.flatMap((message) =>
			message.items.map((item) => isEdit(testTools, item)),
		);
	expect(edits(call("c", "edit", { path: "a.ts" }))).toEqual([false, true, false]);
	expect(edits(call("c", "read", { path: "a.ts" }))).toEqual([false, false, false]);
	expect(edits(call("c", "bash", { command: "rm a.ts" }))).toEqual([false, false, false]);
	expect(edits(call("c", "delimiter", { action: "end" }))).toEqual([false, false, false]);
	expect(edits(call("c", "apply", { patch: "*** Begin Patch\n..." }))).toEqual([false, true, false]);
	expect(edits(text())).toEqual([false, false, false]);
});
