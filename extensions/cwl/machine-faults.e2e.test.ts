import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "#loopback";
import { startRepository } from "./test-support/repository.ts";
import { readSessionEntries } from "./test-support/session-entries.ts";
import { PROJECT, startTrial, until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const support = (name: string) => join(PROJECT, "extensions", "cwl", "test-support", name);

/** Calls the tool that the last user turn names, once. */
function caller({ messages }: ModelRequest): ModelReply {
	const at = messages.findLastIndex(({ type, text }) => type === "user" && !text.startsWith("<"));
	const name = messages[at]?.text ?? "";
	const hasCalled = messages.slice(at).some(({ type }) => type === "assistant");
	return hasCalled || name === "chat"
		? { text: "ok" }
		: { thinking: "I call.", calls: [{ name, arguments: {} }] };
}

test("a tool that throws and one that never returns leave a session that a strict server accepts", async () => {
	const trial = await startTrial({ model: caller, api: "anthropic" });
	const pi = trial.rpc({ args: ["-e", support("coexistence/failing-tools.ts")] });
	await pi.prompt("throws");
	expect(trial.requests.at(-1)?.messages.at(-1)).toMatchObject({ type: "result", isError: true });
	void pi.prompt("hangs");
	await until(() =>
		pi.events.some(({ type, toolName }) => type === "tool_execution_start" && toolName === "hangs"),
	);
	await pi.send({ type: "abort" });
	await pi.prompt("chat");
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
	expect(JSON.stringify(trial.requests.at(-1)?.messages)).toContain("the tool is broken");
	expect(pi.notices().filter(({ kind }) => kind === "error")).toEqual([]);
	const session = await readSessionEntries(await pi.file());
	expect(session.branch).toEqual(session.entries);
});

test("a git that hangs holds nobody up, and the model is told", async () => {
	const trial = await startTrial({ model: caller });
	await startRepository(trial.work, { "a.txt": "one\n" });
	const bin = join(trial.directory, "bin");
	await mkdir(bin);
	// Ends by itself when pi is gone.
	await writeFile(join(bin, "git"), "#!/bin/sh\nwhile kill -0 $PPID 2>/dev/null; do sleep 0.2; done\n");
	await chmod(join(bin, "git"), 0o755);
	const pi = trial.rpc({ environment: { PATH: `${bin}:${process.env.PATH}` } });
	await pi.prompt("chat");
	expect(trial.requests).toHaveLength(1);
	const isInjected = () => JSON.stringify(trial.requests.at(-1)?.messages).includes("git does not answer");
	const deadline = Date.now() + 60_000;
	while (!isInjected() && Date.now() < deadline) await pi.prompt("chat");
	expect(isInjected()).toBe(true);
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
	expect(pi.notices().filter(({ kind }) => kind === "error")).toEqual([]);
});

test("on a slow disk the session is the same, only later", async () => {
	const trial = await startWorkTrial(1, 2, { api: "anthropic" });
	const flag = join(trial.directory, "disk-fails");
	await writeFile(flag, "SLOW");
	const environment = { NODE_OPTIONS: `--import ${support("failing-disk.mjs")}`, CWL_FAILING_DISK: flag };
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const records = trial.loopback.records();
	expect(records.filter(({ refused, extendsPrevious }) => refused || !extendsPrevious)).toEqual([]);
	const session = await readSessionEntries(await pi.file());
	expect(session.branch).toEqual(session.entries);
	expect(pi.notices().filter(({ kind }) => kind !== "info")).toEqual([]);
});
