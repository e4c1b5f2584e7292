import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelMessage } from "../../packages/loopback/model.ts";
import { echo, scripted } from "../../packages/loopback/scripts.ts";
import { startRepository } from "./test-support/repository.ts";
import { startTrial } from "./test-support/trial.ts";

const append = { name: "bash", arguments: { command: "echo more >> a.txt" } };
const look = { name: "read", arguments: { path: "a.txt" } };

function statuses(messages: readonly ModelMessage[] | undefined): readonly string[] {
	const texts = (messages ?? []).flatMap(({ type, text }) => (type === "assistant" ? [] : [text]));
	return texts.flatMap((text) =>
		[...text.matchAll(/<git-status>\n([\s\S]*?)\n<\/git-status>/g)].map(([, status]) => status ?? ""),
	);
}

test("git status follows the first user turn and then each change, and is never rewritten", async () => {
	const model = scripted([
		{ text: "hello" },
		{ text: "still here" },
		{ calls: [append, look] },
		{ calls: [look] },
		{ text: "changed" },
		{ text: "seen" },
	]);
	const trial = await startTrial({ model, api: "anthropic" });
	await startRepository(trial.work, { "a.txt": "one\n" });
	const pi = trial.rpc();
	await pi.prompt("one");
	await pi.prompt("two");
	await pi.prompt("three");
	await writeFile(join(trial.work, "b.txt"), "from elsewhere\n");
	await pi.prompt("four");

	const [first, second, third, afterCalls, , last] = trial.requests;
	const clean = "branch main\nclean";
	expect(statuses(first?.messages)).toEqual([clean]);
	expect(first?.messages.at(-1)?.text).toContain(clean);
	expect(statuses(second?.messages)).toEqual([clean]);
	expect(statuses(third?.messages)).toEqual([clean]);
	const changed = "branch main\nchanged 1: a.txt";
	expect(statuses(afterCalls?.messages)).toEqual([clean, changed]);
	const results = afterCalls?.messages.filter(({ type }) => type === "result") ?? [];
	expect(results.map(({ text }) => statuses([{ type: "user", text }]))).toEqual([[changed], []]);
	expect(statuses(last?.messages)).toEqual([clean, changed, `${changed}\nuntracked 1: b.txt`]);
	const records = trial.loopback.records();
	expect(records).toHaveLength(6);
	expect(records.map(({ extendsPrevious, refused }) => extendsPrevious && !refused)).not.toContain(false);
}, 30_000);

test("a resumed session shows git status again only when it changed meanwhile", async () => {
	const trial = await startTrial({ model: echo });
	await startRepository(trial.work, { "a.txt": "one\n" });
	await trial.run(["-p", "one"]);
	const pi = trial.rpc({ args: ["-c"] });
	await pi.prompt("two");
	await writeFile(join(trial.work, "a.txt"), "two\n");
	await pi.prompt("three");
	const shown = trial.requests.map(({ messages }) => statuses(messages).length);
	expect(shown).toEqual([1, 1, 2]);
	expect(trial.loopback.records().map(({ extendsPrevious }) => extendsPrevious)).toEqual([true, true, true]);
}, 30_000);

test("a folder that is no repository is named once and works", async () => {
	const trial = await startTrial({
		model: scripted([{ calls: [append] }, { text: "done" }, { text: "done" }]),
	});
	const pi = trial.rpc();
	await pi.prompt("one");
	await pi.prompt("two");
	expect(statuses(trial.requests.at(-1)?.messages)).toEqual(["not a git repository"]);
	expect(trial.requests).toHaveLength(3);
}, 30_000);

test("without git on PATH the session works and the model is told", async () => {
	const trial = await startTrial({ model: scripted([{ calls: [look] }, { text: "done" }]) });
	await writeFile(join(trial.work, "a.txt"), "the text\n");
	const bin = join(trial.directory, "bin");
	await mkdir(bin);
	const { code, stdout } = await trial.run(["-p", "one"], { environment: { PATH: bin } });
	expect([code, stdout.trim()]).toEqual([0, "done"]);
	expect(statuses(trial.requests[0]?.messages)).toEqual(["git status unavailable: git is not installed"]);
	expect(trial.requests[1]?.messages.at(-1)?.text).toContain("the text");
}, 30_000);

test("a git that answers late is waited for without a word, and its late answer is shown", async () => {
	const trial = await startTrial({ model: echo });
	await startRepository(trial.work, { "a.txt": "one\n" });
	const bin = join(trial.directory, "bin");
	await mkdir(bin);
	const slow = join(bin, "git");
	const path = process.env.PATH ?? "";
	await writeFile(slow, `#!/bin/sh\nsleep 1\nPATH="${path}" exec git "$@"\n`);
	await chmod(slow, 0o755);
	const pi = trial.rpc({ environment: { PATH: `${bin}:${path}` } });
	for (let turn = 0; statuses(trial.requests.at(-1)?.messages).length === 0; turn++)
		await pi.prompt(`turn ${turn}`);
	expect(statuses(trial.requests.at(-1)?.messages)).toEqual(["branch main\nclean"]);
	await pi.prompt("later");
	expect(statuses(trial.requests.at(-1)?.messages)).toEqual(["branch main\nclean"]);
}, 30_000);
