import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { UnknownRecord } from "#basics";
import { startRepository } from "../../extensions/cwl/test-support/repository.ts";
import { startTrial } from "../../extensions/cwl/test-support/trial.ts";
import { callBuiltIn } from "./built-in-tools.ts";
import { callInSession } from "./test-support/call-in-session.ts";

test("a tool runs in the folder and prints its result, or its error as the model sees it with exit code 1", async () => {
	const trial = await startTrial();
	await startRepository(trial.work, { ".gitignore": "*.log\n", "a.ts": "one\n", "b.log": "one\n" });
	const listed = await trial.run(["tool", "glob", '{"pattern": "**"}']);
	expect(listed).toEqual({ code: 0, stdout: ".gitignore\na.ts\n", stderr: "" });
	const wrote = await trial.run(["tool", "write", '{"path": "c.ts", "content": "x"}', "--json"]);
	expect(wrote.code).toBe(0);
	expect(JSON.parse(wrote.stdout)).toEqual({ text: expect.stringContaining("c.ts"), isError: false });
	expect(await readFile(join(trial.work, "c.ts"), "utf8")).toBe("x");
	const refused = await trial.run(["tool", "grep", '{"pattern": "("}']);
	expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining("unclosed group") });
	const invalid = await trial.run(["tool", "read", "{}", "--json"]);
	expect(JSON.parse(invalid.stdout)).toEqual({ text: expect.stringContaining("path"), isError: true });
	expect(invalid.code).toBe(1);
});

test.each<[string, UnknownRecord]>([
	["glob", { pattern: "**" }],
	["grep", { pattern: "(" }],
	["read", { path: "a.ts" }],
	["bash", { command: "echo one; exit 3" }],
	["write", { path: "new/b.ts", content: "two" }],
	["edit", { path: "a.ts", edits: [{ oldText: "one", newText: "1" }] }],
	["delimiter", { action: "start", name: "look", type: "expl" }],
])("%s %j answers the same without a session as in one", async (name, args) => {
	const { work } = await startTrial();
	await startRepository(work, { ".gitignore": "*.log\n", "a.ts": "one\n", "b.log": "one\n" });
	const call = { name, arguments: args };
	const direct = await callBuiltIn(call, work);
	expect(direct).toMatchObject({ text: expect.any(String) });
	// Both calls find the same file.
	await writeFile(join(work, "a.ts"), "one\n");
	const { text, isError } = await callInSession(call, work);
	// A session may append its git status to any result.
	expect({ text: text.replace(/\n*<git-status[\s\S]*$/, ""), isError }).toEqual(direct);
});

test("arguments that a tool refuses, and a recall in a new session, are answered without one", async () => {
	const call = (name: string, args: UnknownRecord) => callBuiltIn({ name, arguments: args }, tmpdir());
	const refused = {
		text: expect.stringMatching(/^\{\} does not fit read: use .*required: path\.$/),
		isError: true,
	};
	expect(await call("read", {})).toEqual(refused);
	const unknown = { text: expect.stringContaining('recall "look": unknown'), isError: false };
	expect(await call("recall", { query: "look" })).toEqual(unknown);
	expect(await call("delimiter", { action: "end" })).toMatchObject({ isError: true });
});

test("a tool that cwl does not have is refused with the names of those that it has", async () => {
	const trial = await startTrial();
	const { code, stdout, stderr } = await trial.run(["tool", "frobnicate", "{}"]);
	expect([code, stdout]).toEqual([2, ""]);
	expect(stderr).toMatch(/^cwl: there is no tool "frobnicate"\. cwl has [\w, ]*grep[\w, ]*\.\n$/);
});
