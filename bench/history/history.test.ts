import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readSession } from "#lab";
import { BENCH } from "../test-support/bench-program.ts";
import { run as runBench } from "./command.ts";
import { writeHistory } from "./write-history.ts";

const run = promisify(execFile);

async function makeFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cwl-history-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	return folder;
}

test("a history has the requested size, and its sessions are complete", async () => {
	const folder = await makeFolder();
	const sessions = await writeHistory(folder, { bytes: 500_000, sessionBytes: 200_000 });
	const paths = (await readdir(folder)).map((name) => join(folder, name));
	expect(paths).toHaveLength(sessions);
	const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThanOrEqual(500_000);
	for (const path of paths) {
		const { format, messages, damage } = await readSession(path);
		expect([format, damage]).toEqual(["claude-code", []]);
		expect(messages.length).toBeGreaterThan(8);
	}
});

/** In MB: smaller than the file, let alone its parsed content. */
const HEAP = 96;
const SESSION = 96;

test("one session is read in less memory than its file has bytes", { timeout: 120_000 }, async () => {
	const folder = await makeFolder();
	await writeHistory(folder, { bytes: SESSION * 1e6, sessionBytes: SESSION * 1e6 });
	const script = `import { createJiti } from "jiti";
		const { readSession } = await createJiti(import.meta.url).import(${JSON.stringify(fileURLToPath(new URL("../../packages/lab/readers/registry.ts", import.meta.url)))});
		const { messages, damage } = await readSession(${JSON.stringify(join(folder, "session-00000.jsonl"))});
		console.log(JSON.stringify({ messages: messages.length, damage: damage.length }));`;
	const cwd = fileURLToPath(new URL("../..", import.meta.url));
	const flags = [`--max-old-space-size=${HEAP}`, "--input-type=module", "--eval", script];
	const { stdout } = await run(process.execPath, flags, { cwd });
	expect(JSON.parse(stdout)).toMatchObject({ damage: 0 });
});

test("the bench replays every session that it wrote and reports the peak", { timeout: 120_000 }, async () => {
	const [program, ...words] = BENCH;
	const args = ["history", "--size", "2", "--session-size", "0.5", "--heap", "128", "--json"];
	const { stdout } = await run(program, [...words, ...args]);
	const { sessions, replayed, peakRssMb, tokensProcessed } = JSON.parse(stdout);
	expect(sessions).toBeGreaterThan(3);
	expect(replayed).toBe(sessions);
	expect(tokensProcessed).toBeGreaterThan(0);
	expect(peakRssMb).toBeGreaterThan(0);
});

test.each(["--size", "--heap", "--jobs"])("%s takes a number above 0", async (flag) => {
	await expect(runBench([flag, "0"])).rejects.toMatchObject({ code: `bad-${flag.slice(2)}` });
	await expect(runBench([flag, "much"])).rejects.toMatchObject({ code: `bad-${flag.slice(2)}` });
});
