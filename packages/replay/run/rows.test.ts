import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeLongSession } from "../test-support/long-session.ts";
import { replayWith, reportOn, reportWith, writeSessionFile } from "../test-support/replay-run.ts";
import { addRow, headerFor, isInShard, mergeRows, openRows, parseShard } from "./rows.ts";
import { type RunPart, type RunPlan, runOf } from "./run.ts";

async function makeFolder(sessions: number): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cwl-rows-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	for (let n = 1; n <= sessions; n++) {
		await writeSessionFile(join(folder, "sessions", `${n}.jsonl`), writeLongSession(10 + n));
	}
	return folder;
}

const settings = { budget: 4_000 };

/** Replays a shard into a file of rows; stops after `most` sessions, as a killed process does. */
async function replayShard(folder: string, file: string, text: string, most = Number.POSITIVE_INFINITY) {
	const stop = new AbortController();
	const shard = parseShard(text);
	let replayed = 0;
	const openPart = async (plan: RunPlan): Promise<RunPart> => ({
		isMine: (place) => isInShard(place, shard),
		done: await openRows(file, headerFor(plan, settings)),
		add(place, outcome) {
			addRow(file, place, outcome);
			replayed += 1;
			if (replayed === most) stop.abort();
		},
	});
	await replayWith({ paths: [join(folder, "sessions")], signal: stop.signal, openPart });
	return replayed;
}

async function reportRows(...files: readonly string[]) {
	const { header, outcomes } = await mergeRows(files);
	const isInterrupted = outcomes.size < header.planned;
	const run = { ...runOf(header.found, outcomes), isInterrupted, planned: header.planned };
	return reportOn(run, {});
}

test("shards, one of them stopped and continued, join to the report of one run", async () => {
	const folder = await makeFolder(5);
	const [first, second] = [join(folder, "1.jsonl"), join(folder, "2.jsonl")];
	expect(await replayShard(folder, first, "1/2", 1)).toBe(1);
	await appendFile(first, '{"place":2,"outco');
	expect(await replayShard(folder, second, "2/2")).toBe(2);
	expect(await replayShard(folder, first, "1/2")).toBe(2);
	expect(await replayShard(folder, first, "1/2")).toBe(0);
	expect(await reportRows(second, first)).toEqual(await reportWith({ paths: [join(folder, "sessions")] }));
});

test("rows of a part say how many sessions are missing, and a session in two files counts once", async () => {
	const folder = await makeFolder(3);
	const file = join(folder, "1.jsonl");
	await replayShard(folder, file, "1/2");
	const { interrupted, sessions } = await reportRows(file, file);
	expect([interrupted, sessions.replayed, sessions.planned]).toEqual([true, 2, 3]);
});

test("rows of other sessions, of other settings and of something else are refused", async () => {
	const [folder, other] = [await makeFolder(2), await makeFolder(3)];
	const [file, otherFile] = [join(folder, "rows"), join(other, "rows")];
	await replayShard(folder, file, "1/1");
	await replayShard(other, otherFile, "1/1");
	await expect(mergeRows([file, otherFile])).rejects.toMatchObject({ code: "other-rows" });
	const header = JSON.parse((await readFile(file, "utf8")).split("\n")[0] ?? "");
	await expect(openRows(file, { ...header, settings: { budget: 1 } })).rejects.toThrow(/other settings/);
	await writeFile(otherFile, '{"type":"session"}\n');
	await expect(mergeRows([otherFile])).rejects.toMatchObject({ code: "bad-rows" });
	await expect(mergeRows([join(folder, "nowhere")])).rejects.toMatchObject({ code: "not-found" });
});

test.each(["0/4", "5/4", "1", "a/b", "1/0"])("the shard %j is refused", (text) => {
	expect(() => parseShard(text)).toThrow(/3\/16/);
});

test("every session is in exactly one shard", () => {
	for (let place = 0; place < 20; place++) {
		const shards = [1, 2, 3].filter((number) => isInShard(place, { number, of: 3 }));
		expect(shards).toHaveLength(1);
	}
});
