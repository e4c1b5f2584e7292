import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { listChangedFiles } from "#testing/worker";
import { createScratch } from "../../packages/workspace/test-support/scratch.ts";
import type { Rows } from "../arms.ts";
import { settleTask } from "../single-session/run.ts";
import { runBench } from "../test-support/bench-program.ts";
import { stageOf } from "./chain-stage.ts";
import { readChain, readHunks } from "./read-chain.ts";
import { createSample } from "./test-support/sample.ts";

test("a chain is read from a real history, oldest first, with the files of each commit", async () => {
	const { commits } = await readChain(createSample(), "main", 4);
	expect(commits.map(({ number, files }) => [number, files.map(({ type }) => type)])).toEqual([
		[1, ["changed"]],
		[2, ["removed", "removed"]],
		[3, ["added", "added", "added", "added", "added", "added"]],
		[4, ["changed"]],
	]);
});

test("a history that is too short says how long it is", async () => {
	await expect(readChain(createSample(), "main", 9)).rejects.toMatchObject({
		code: "short-history",
		message: expect.stringContaining("use --commits 4"),
	});
});

test.each([
	["a replaced line", "@@ -2 +2 @@", "a b c", "a X c", [1, 1, ["X"], ["b"]]],
	["removed lines", "@@ -1,2 +0,0 @@", "a b c", "c", [0, 1, [], ["a", "b"]]],
	["an added line", "@@ -2,0 +3 @@", "a b c", "a b X c", [1, 1, ["b", "X"], ["b"]]],
	["one at the top", "@@ -0,0 +1 @@", "a b", "X a b", [0, 0, ["X", "a"], ["a"]]],
] as const)("a hunk has the lines that it replaces: %s", (_, diff, old, now, [start, end, lines, before]) => {
	const [from, to] = [old, now].map((words) => `${words} `.replaceAll(" ", "\n"));
	expect(readHunks(diff, from ?? "", to ?? "")).toEqual([{ start, end, lines, before }]);
});

test("every commit is made again under every policy, and what left is read again", async () => {
	const args = ["--commits", "4", "--budget", "10k", "--json"];
	const conditions = ["--conditions", "isolated,none,compaction,paper,cwl,cwl-economy"];
	const sample = createSample();
	const { code, stdout, stderr } = await runBench("commits", `${sample}#main`, ...args, ...conditions);
	expect(code).toBe(0);
	expect(stderr).toMatch(/^24 of 24 tasks, /m);
	const rows: Rows = JSON.parse(stdout).conditions;
	const names = ["isolated", "none", "compaction-10k", "paper-10k", "cwl-10k", "cwl-economy-10k"];
	expect(Object.entries(rows).map(([name, { tasks, solved }]) => [name, tasks, solved])).toEqual(
		names.map((name) => [`${basename(sample)} ${name}`, 4, 4]),
	);
	expect(rows[`${basename(sample)} none`]?.reads).toBe(1);
	expect(rows[`${basename(sample)} isolated`]?.reads).toBe(2);
});

test("a commit is judged by a command, with its tests in the work tree before it is made", async () => {
	const chain = await readChain(createSample(), "main", 4);
	const command = "test -f new.txt && grep -q FABLE new.txt && ls $TESTS";
	const { create, tasks } = stageOf(chain, { command, links: { packages: createScratch() } });
	expect(tasks.map(({ id }) => id.slice(0, 10))).toEqual(["commit-003"]);
	const directory = join(createScratch(), "work");
	await create(directory);
	const [task] = tasks;
	await task?.prepare(directory);
	expect(task?.prompt).toMatch(/Its tests are in the work tree already, .*prices\.test\.ts/);
	const changed = await listChangedFiles(directory);
	expect(changed).toEqual([]);
	expect(await task?.verify(directory)).toBe(false);
	await writeFile(join(directory, "new.txt"), "FABLE");
	expect(task && (await settleTask(directory, task))).toBe(true);
});
