/** Shards of a replay that another program starts: killed in the middle, run again, and the same figures as one run. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { writeLongSession } from "../replay/test-support/long-session.ts";
import { writeSessionFile } from "../replay/test-support/replay-run.ts";
import { createScratch } from "../workspace/test-support/scratch.ts";

const program = fileURLToPath(new URL("./bin.mjs", import.meta.url));
const SHARDS = [1, 2, 3];
const SESSIONS = 6;
/** `./shard N` replays one shard. */
const START_ALL = `printf '%s\\n' ${SHARDS.join(" ")} | xargs -P 2 -n 1 ./shard`;

test("shards that are killed and run again make the report of one run", async () => {
	const folder = createScratch();
	const sessions = join(folder, "sessions");
	await mkdir(sessions);
	for (let n = 1; n <= SESSIONS; n++)
		await writeSessionFile(join(sessions, `${n}.jsonl`), writeLongSession(20 + n));
	const replay = [program, "replay", sessions, "--budget", "4k", "--policy", "none,cwl", "--no-times"];
	const words = [process.execPath, ...replay].map((word) => `'${word}'`).join(" ");
	const shard = `#!/bin/sh\nexec ${words} --jobs 1 --shard $1/${SHARDS.length} --rows rows-$1.jsonl\n`;
	await writeFile(join(folder, "shard"), shard, { mode: 0o755 });

	await runUntilFirstRow(folder);
	await promisify(execFile)("sh", ["-c", START_ALL], { cwd: folder });

	const rows = SHARDS.map((n) => join(folder, `rows-${n}.jsonl`));
	const [whole, merged, part] = await Promise.all([
		promisify(execFile)(process.execPath, [...replay, "--json"]),
		promisify(execFile)(process.execPath, [program, "replay", "merge", ...rows, "--json"]),
		promisify(execFile)(process.execPath, [program, "replay", "merge", ...rows.slice(0, 1)]),
	]);
	expect(part.stderr).toContain(`rows of 2 of ${SESSIONS} sessions`);
	expect(merged.stdout).toBe(whole.stdout);
	expect(JSON.parse(merged.stdout)).toMatchObject({ interrupted: false, sessions: { replayed: SESSIONS } });
});

/** Kills everything once a session is kept. */
async function runUntilFirstRow(folder: string) {
	const child = spawn("sh", ["-c", START_ALL], { cwd: folder, detached: true, stdio: "ignore" });
	const ended = once(child, "close");
	while (child.exitCode === null && !(await hasRow(folder))) await sleep(50);
	if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
	await ended;
}

/** The first line of a file of rows is its header. */
async function hasRow(folder: string): Promise<boolean> {
	const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
	const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
	return texts.some((text) => text.split("\n").length > 2);
}
