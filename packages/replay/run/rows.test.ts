import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReport } from "../report/report.ts";
import { replayWith, reportWith, sessionsFolder, testSettings } from "../test-support/replay-run.ts";
import { openRows, parseShard } from "./rows.ts";
import { mergeRuns } from "./run.ts";

/** Three sessions in a folder `sessions`. */
const makeFolder = (more: Readonly<Record<string, number>> = {}) =>
	sessionsFolder({ "sessions/1.jsonl": 11, "sessions/2.jsonl": 12, "sessions/3.jsonl": 13, ...more });

/** Replays a shard into a file of rows, and returns how many sessions; stops after `most`, as a killed process does. */
async function replayShard(folder: string, path: string, shard: string, most = Number.POSITIVE_INFINITY) {
	const stop = new AbortController();
	let begun = 0;
	await replayWith({
		paths: [join(folder, "sessions")],
		rows: { path, shard: parseShard(shard), settings: testSettings({}) },
		signal: stop.signal,
		onProgress() {
			if (begun === most) stop.abort();
			else begun += 1;
		},
	});
	return begun;
}

async function reportRows(...files: readonly string[]) {
	const { run, settings } = await mergeRuns(files);
	return createReport(run, settings);
}

test("shards, one of them stopped and continued, join to the report of one run", async () => {
	const folder = await makeFolder({ "sessions/4.jsonl": 14, "sessions/5.jsonl": 15 });
	const first = join(folder, "1.jsonl");
	const second = join(folder, "2.jsonl");
	expect(await replayShard(folder, first, "1/2", 1)).toBe(1);
	await appendFile(first, '{"place":2,"outco');
	expect(await replayShard(folder, second, "2/2")).toBe(2);
	expect(await replayShard(folder, first, "1/2")).toBe(2);
	expect(await replayShard(folder, first, "1/2")).toBe(0);
	const whole = await reportWith({ paths: [join(folder, "sessions")] });
	expect(await reportRows(second, first)).toEqual(whole);
});

test("rows of a part say how many sessions are missing, and a session in two files counts once", async () => {
	const folder = await makeFolder();
	const file = join(folder, "1.jsonl");
	await replayShard(folder, file, "1/2");
	const { interrupted, sessions } = await reportRows(file, file);
	expect([interrupted, sessions.replayed, sessions.planned]).toEqual([true, 2, 3]);
});

test("rows of other sessions, of other settings and of something else are refused", async () => {
	const folder = await makeFolder();
	const other = await makeFolder({ "sessions/4.jsonl": 1 });
	const file = join(folder, "rows");
	const otherFile = join(other, "rows");
	await replayShard(folder, file, "1/1");
	await replayShard(other, otherFile, "1/1");
	await expect(mergeRuns([file, otherFile])).rejects.toMatchObject({ code: "other-rows" });
	const header = JSON.parse((await readFile(file, "utf8")).split("\n")[0] ?? "");
	await expect(openRows(file, { ...header, settings: {} })).rejects.toThrow(/other settings/);
	await writeFile(otherFile, '{"type":"session"}\n');
	await expect(mergeRuns([otherFile])).rejects.toMatchObject({ code: "bad-rows" });
	await expect(mergeRuns([join(folder, "nowhere")])).rejects.toMatchObject({ code: "not-found" });
	await expect(openRows(join(file, "below"), header)).rejects.toThrow("cannot be read (ENOTDIR)");
});

test.each(["0/4", "5/4", "1", "a/b", "1/0"])("the shard %j is refused", (text) => {
	expect(() => parseShard(text)).toThrow(/3\/16/);
});
