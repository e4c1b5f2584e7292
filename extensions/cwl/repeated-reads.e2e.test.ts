import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { READ_BEFORE } from "#pi/files";
import { call, following } from "./test-support/following.ts";
import { lastResult } from "./test-support/reader-model.ts";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { startTrial, type Trial } from "./test-support/trial.ts";

/** Told to read a file (`read NAME`, `read NAME from LINE`), it does; else it chats. */
const model = following((prompt) => {
	const [, path, offset] = /^read (\S+)(?: from (\d+))?$/.exec(prompt) ?? [];
	return path === undefined
		? undefined
		: [{ calls: [call("read", { path, ...(offset && { offset: Number(offset) }) })] }];
});

const linesOf = (name: string, lines: number) =>
	Array.from({ length: lines }, (_, line) => `${line} green bottles of ${name}\n`).join("");

async function startReader(files: Readonly<Record<string, number>>, environment = {}) {
	const trial = await startTrial({ model });
	for (const [name, lines] of Object.entries(files)) {
		await writeFile(join(trial.work, name), linesOf(name, lines));
	}
	return { trial, pi: trial.rpc({ environment }) };
}

async function read(trial: Trial, pi: RpcSession, what: string): Promise<string> {
	await pi.prompt(`read ${what}`);
	// Attached texts follow the tool's own output.
	return lastResult(trial.requests.at(-1)).replace(/\n?<context-note [\s\S]*$/, "");
}

test("lines that are unchanged and in sight are repeated when they are asked for once more", async () => {
	const { trial, pi } = await startReader({ hops: 100, short: 2 });
	const whole = linesOf("hops", 100);
	expect(await read(trial, pi, "hops")).toBe(whole);
	expect(await read(trial, pi, "hops")).toBe(READ_BEFORE);
	expect(await read(trial, pi, "hops")).toBe(whole);
	expect(await read(trial, pi, "hops from 51")).toContain("50 green bottles");
	expect(await read(trial, pi, "short")).toBe(await read(trial, pi, "short"));
	expect(trial.loopback.records().filter(({ extendsPrevious }) => !extendsPrevious)).toEqual([]);
});

/** Returns true if the last request showed the file. */
const isShown = (trial: Trial, name: string) =>
	JSON.stringify(trial.requests.at(-1)?.messages).includes(`17 green bottles of ${name}`);

test("what has been evicted is shown again, in a resumed session too", async () => {
	const names = ["hops", "malt", "oats", "rye", "wheat", "rice", "corn", "yeast"];
	const files = Object.fromEntries(names.map((name) => [name, 300]));
	const environment = { CWL_BUDGET: "12k" };
	const { trial, pi } = await startReader(files, environment);
	for (const name of names) expect(await read(trial, pi, name)).toBe(linesOf(name, 300));
	expect(isShown(trial, "hops")).toBe(false);
	expect(await read(trial, pi, "hops")).toBe(linesOf("hops", 300));
	await pi.kill();
	const resumed = trial.rpc({ args: ["-c"], environment });
	const brief: string[] = [];
	for (const name of names.toReversed()) {
		await resumed.prompt("go on");
		const wasShown = isShown(trial, name);
		const answer = await read(trial, resumed, name);
		if (answer === READ_BEFORE) brief.push(name);
		else expect(answer).toBe(linesOf(name, 300));
		expect([name, isShown(trial, name)]).toEqual([name, true]);
		if (!wasShown) expect(answer).not.toBe(READ_BEFORE);
	}
	expect(brief.length).toBeGreaterThan(0);
});
