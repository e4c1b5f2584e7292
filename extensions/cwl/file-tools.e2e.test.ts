import { execFileSync } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "#testing";
import { call, read } from "./test-support/following.ts";
import { CWL, PI, startTrial, type Trial } from "./test-support/trial.ts";

const calls = [
	read("pipe"),
	read("/dev/zero"),
	call("edit", { path: "pipe", edits: [{ oldText: "a", newText: "b" }] }),
	call("write", { path: "pipe", content: "x" }),
	call("grep", { pattern: "x", path: "pipe" }),
	call("glob", { pattern: "*", path: "pipe" }),
	call("grep", { pattern: "x", path: "out/passwd" }),
	call("glob", { pattern: "*", path: "out" }),
];

type Calls = NonNullable<ModelReply["calls"]>;

const callsOnce =
	(made: Calls) =>
	({ messages }: ModelRequest): ModelReply =>
		messages.some(({ type }) => type === "result") ? { text: "ok" } : { calls: made };

/** The results that the last request sends. */
const resultsOf = ({ requests }: Trial) =>
	(requests.at(-1)?.messages ?? []).filter((message) => message.type === "result");

test("a pipe or a device is refused by every tool, a link out of the folder by ours, and none of it holds up another call", async () => {
	const trial = await startTrial({ model: callsOnce(calls), api: "anthropic" });
	execFileSync("mkfifo", [join(trial.work, "pipe")]);
	await symlink("/etc", join(trial.work, "out"));
	const pi = trial.rpc();
	await pi.prompt("go on");
	const results = resultsOf(trial);
	expect(results.map(({ isError }) => isError)).toEqual(calls.map(() => true));
	for (const { text } of results) expect(text).toMatch(/is a pipe, socket or device|^out\S* leads out of/);
});

test("tools that are first called together all answer", async () => {
	const first = [
		call("glob", { pattern: "*" }),
		call("grep", { pattern: "x" }),
		call("bash", { command: "echo x > a.txt" }),
		read("b.txt"),
		call("recall", { query: "nothing" }),
	];
	const trial = await startTrial({ model: callsOnce(first), api: "anthropic", files: { "b.txt": "x\n" } });
	const pi = trial.rpc();
	await pi.prompt("go on");
	const results = resultsOf(trial);
	expect(results.map(({ text, isError }) => isError && text)).toEqual(first.map(() => false));
});

const numbered = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join("\n");
const everyday = [
	read("long.txt"),
	read("@long.txt", { offset: 2_990, limit: 3 }),
	read("missing"),
	call("bash", { command: "seq 1 100; exit 3" }),
	call("bash", { command: "sleep 20", timeout: 1 }),
	call("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] }),
	call("edit", { path: "a.txt", edits: [{ oldText: "nowhere", newText: "1" }] }),
	// As older models call it.
	call("edit", { path: "a.txt", oldText: "two", newText: "2" }),
	call("write", { path: "deep/er/b.txt", content: "new" }),
];

test("read, bash, edit and write answer as the host's own do", async () => {
	const answers: (readonly string[])[] = [];
	for (const program of [CWL, PI]) {
		const trial = await startTrial({
			model: callsOnce(everyday),
			api: "anthropic",
			files: { "long.txt": numbered, "a.txt": "one\ntwo\n" },
		});
		await trial.rpc({ program }).prompt("go on");
		expect(await readFile(join(trial.work, "a.txt"), "utf8")).toBe("1\n2\n");
		const results = resultsOf(trial).map(({ text, isError }) => `${isError}: ${text}`);
		// Attached texts follow the tool's own output.
		const attached = /\n?<(git-status|context-note)>[\s\S]*$/;
		answers.push(results.map((text) => text.replaceAll(trial.directory, "").replace(attached, "")));
	}
	const [ours, own] = answers;
	expect(ours).toHaveLength(everyday.length);
	expect(ours).toEqual(own);
});
