import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { UnknownRecord } from "#basics";
import { scripted } from "#testing";
import { call, read, start } from "../../extensions/cwl/test-support/following.ts";
import { startTrial } from "../../extensions/cwl/test-support/trial.ts";
import { startRepository } from "../workspace/test-support/scratch.ts";
import { callBuiltIn } from "./built-in-tools.ts";

test("a tool runs in the folder and prints its result, or its error as the model sees it with exit code 1", async () => {
	const trial = await startTrial();
	startRepository(trial.work, { ".gitignore": "*.log\n", "a.ts": "one\n", "b.log": "one\n" });
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

/** In an order in which no call sees what another one writes. */
const calls = [
	call("glob", { pattern: "**" }),
	call("grep", { pattern: "(" }),
	read("a.ts"),
	call("bash", { command: "echo one; exit 3" }),
	call("write", { path: "new/b.ts", content: "two" }),
	call("edit", { path: "a.ts", edits: [{ oldText: "one", newText: "1" }] }),
	start("look", "expl"),
];

test("each tool answers the same without a session as in one", async () => {
	const model = scripted([...calls.map((each) => ({ calls: [each] })), { text: "done" }]);
	// This API marks failed calls in the request.
	const trial = await startTrial({ model, api: "anthropic" });
	startRepository(trial.work, { ".gitignore": "*.log\n", "a.ts": "one\n", "b.log": "one\n" });
	await trial.run(["--no-session", "-p", "go"]);
	const results = trial.requests.at(-1)?.messages.filter((message) => message.type === "result");
	await rm(join(trial.work, "new"), { recursive: true });
	await writeFile(join(trial.work, "a.ts"), "one\n");
	for (const [index, each] of calls.entries()) {
		const { text = "", isError } = results?.[index] ?? {};
		// A session may append its git status to any result.
		const inSession = { text: text.replace(/\n*<git-status[\s\S]*$/, ""), isError };
		expect(inSession, each.name).toEqual(await callBuiltIn(each, trial.work));
	}
});

test("arguments that a tool refuses, and a recall in a new session, are answered without one", async () => {
	const answer = (name: string, args: UnknownRecord) => callBuiltIn(call(name, args), tmpdir());
	const refused = {
		text: expect.stringMatching(/^\{\} does not fit read: use .*required: path\.$/),
		isError: true,
	};
	expect(await answer("read", {})).toEqual(refused);
	const unknown = { text: expect.stringContaining('recall "look": unknown'), isError: false };
	expect(await answer("recall", { query: "look" })).toEqual(unknown);
	expect(await answer("delimiter", { action: "end" })).toMatchObject({ isError: true });
});
