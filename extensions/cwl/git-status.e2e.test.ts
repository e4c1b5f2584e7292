import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelMessage, ModelReply, ModelRequest } from "#testing";
import { startRepository } from "../../packages/workspace/test-support/scratch.ts";
import { call, read } from "./test-support/following.ts";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { framesIn } from "./test-support/state.ts";
import { startTrial, type Trial } from "./test-support/trial.ts";

const clean = "branch main\nclean";
const changed = "branch main\nchanged 1: a.txt";

const run = (command: string) => call("bash", { command });
const look = read("a.txt");

const statuses = (messages: readonly ModelMessage[]) => framesIn("git-status", messages);

/** Asked to change, it changes a.txt once and idles with the shell until git has answered; else it chats. */
function model({ messages }: ModelRequest): ModelReply {
	const asked = messages.findLastIndex(
		({ type, text }) => type === "user" && !text.startsWith("<git-status "),
	);
	if (messages[asked]?.text !== "change") return { text: "ok" };
	if (messages.length === asked + 1) return { calls: [run("echo more >> a.txt"), look] };
	return statuses(messages).some((status) => status.endsWith("changed 1: a.txt"))
		? { text: "done" }
		: { calls: [run("true")] };
}

const told = (trial: Trial) => statuses(trial.requests.at(-1)?.messages ?? []);

/** Without the mark of an earlier answer: on a busy machine any may bear it. */
const shown = (trial: Trial) =>
	told(trial).map((status) =>
		status.replace(/^branch main, stale: git had not answered yet$/m, "branch main"),
	);

/** Chat until that many statuses are shown: on a busy machine, git may answer a turn later. */
async function chatUntilShown(trial: Trial, pi: RpcSession, count: number): Promise<void> {
	do await pi.prompt("go on");
	while (shown(trial).length < count);
}

test("git status follows a user turn or the result of the call that changed it, and is never rewritten", async () => {
	const trial = await startTrial({ model, api: "anthropic" });
	startRepository(trial.work, { "a.txt": "one\n" });
	const pi = trial.rpc();
	await chatUntilShown(trial, pi, 1);
	expect(shown(trial)).toEqual([clean]);
	expect(trial.requests.at(-1)?.messages.at(-1)).toMatchObject({
		type: "user",
		text: expect.stringContaining("clean\n</git-status>"),
	});
	await pi.prompt("go on");
	expect(shown(trial)).toEqual([clean]);

	await pi.prompt("change");
	expect(shown(trial)).toEqual([clean, changed]);
	const results = (trial.requests.at(-1)?.messages ?? []).filter(({ type }) => type === "result");
	expect(statuses(results)).toHaveLength(1);
	await writeFile(join(trial.work, "b.txt"), "from elsewhere\n");
	await chatUntilShown(trial, pi, 3);
	expect(shown(trial)).toEqual([clean, changed, `${changed}\nuntracked 1: b.txt`]);
	expect(trial.breaks()).toEqual([]);
});

test("a resumed session shows git status again only when it changed meanwhile", async () => {
	const trial = await startTrial({ model });
	startRepository(trial.work, { "a.txt": "one\n" });
	const first = trial.rpc();
	await chatUntilShown(trial, first, 1);
	await first.kill();
	const resumed = trial.resume();
	await resumed.prompt("go on");
	expect(shown(trial)).toEqual([clean]);
	await writeFile(join(trial.work, "a.txt"), "two\n");
	await chatUntilShown(trial, resumed, 2);
	expect(shown(trial)).toEqual([clean, changed]);
	expect(trial.breaks()).toEqual([]);
});

test.each([
	[
		"a git that hangs",
		"#!/bin/sh\nwhile kill -0 $PPID 2>/dev/null; do sleep 0.2; done\n",
		"git does not answer",
	],
	["no git", undefined, "git is not installed"],
])("%s holds nobody up, and the model is told once", async (_, script, reason) => {
	const trial = await startTrial({ model });
	startRepository(trial.work, { "a.txt": "one\n" });
	const bin = join(trial.directory, "bin");
	await mkdir(bin);
	if (script !== undefined) await writeFile(join(bin, "git"), script, { mode: 0o755 });
	const pi = trial.rpc({ environment: { PATH: script === undefined ? bin : `${bin}:${process.env.PATH}` } });
	await chatUntilShown(trial, pi, 1);
	await pi.prompt("go on");
	expect(shown(trial)).toEqual([`git status unavailable: ${reason}`]);
	expect(pi.said("error")).toEqual([]);
});

test("a git that answers late is waited for without a word, and its late answer is shown once, marked stale", async () => {
	const trial = await startTrial({ model });
	startRepository(trial.work, { "a.txt": "one\n" });
	const bin = join(trial.directory, "bin");
	await mkdir(bin);
	const slow = join(bin, "git");
	const path = process.env.PATH ?? "";
	await writeFile(slow, `#!/bin/sh\nsleep 1\nPATH="${path}" exec git "$@"\n`);
	await chmod(slow, 0o755);
	const pi = trial.rpc({ environment: { PATH: `${bin}:${path}` } });
	await chatUntilShown(trial, pi, 1);
	expect(trial.requests.length).toBeGreaterThan(1);
	await pi.prompt("go on");
	expect(told(trial)).toEqual(["branch main, stale: git had not answered yet\nclean"]);
});
