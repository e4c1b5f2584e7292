import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parsePolicies } from "./policies/registry.ts";
import { createReport } from "./report.ts";
import { type Progress, type Run, type RunOptions, runReplays } from "./run.ts";
import { formatReport } from "./table.ts";
import { writeLongSession } from "./test-support/long-session.ts";
import { countQuarters } from "./test-support/messages.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-run-"));
	await mkdir(join(folder, "sub"));
	await writeSession("long.jsonl", 30);
	await writeSession("short.jsonl", 2);
	await writeSession("sub/long.jsonl", 10);
});
afterAll(() => rm(folder, { recursive: true }));

async function writeSession(file: string, rounds: number) {
	const entries = writeLongSession(rounds).messages.map((message) => ({ type: "message", message }));
	const lines = [{ type: "session", id: "h" }, ...entries].map((entry) => JSON.stringify(entry));
	await writeFile(join(folder, file), `${lines.join("\n")}\n`);
}

const budget = 4_000;
const fixed = { system: 50, tools: 30 };
const policies = parsePolicies("none,paper");

function run(changes: Partial<RunOptions> = {}): Promise<Run> {
	return runReplays({
		...{ paths: [folder], policies, budget, fixed, count: countQuarters, system: "", requests: undefined },
		now: () => 0,
		signal: new AbortController().signal,
		onProgress: () => {},
		...changes,
	});
}

test("every session is replayed under every policy, and the figures compare them", async () => {
	const report = createReport(await run(), { policies, budget, fixed });
	expect(report).toMatchObject({ version: 1, interrupted: false, problems: [], damage: [] });
	expect(report.sessions).toEqual({ replayed: 3, annotated: 0, pressed: 2 });
	const [uncapped, published] = report.policies;
	expect(uncapped).toMatchObject({ policy: "none", passes: 0, extendShare: 1, violations: 0 });
	expect(uncapped?.overBudget).toBeGreaterThan(0);
	expect(uncapped?.grounding.edit.kept).toBe(uncapped?.grounding.edit.needed);
	expect(published).toMatchObject({ policy: "paper", overBudget: 0, violations: 0 });
	expect(published?.ratioToPaper).toEqual({ anthropic: 1, openai: 1 });
	expect(published?.passes).toBe(published?.prefixBreaks);
	expect(published?.pressed?.requests).toBe(uncapped?.pressed?.requests);
	expect(published?.bySession.map(({ session }) => session)).toEqual(["long", "short", "long~2"]);
	const requests = published?.bySession.reduce((sum, each) => sum + each.requests, 0);
	expect(requests).toBe(published?.requests);
});

test("without paper there is no ratio to it", async () => {
	const alone = parsePolicies("none");
	const report = createReport(await run({ policies: alone }), { policies: alone, budget, fixed });
	expect(report.policies[0]?.ratioToPaper).toEqual({ anthropic: null, openai: null });
});

test("the table says what was replayed, how it compares, and what is wrong", async () => {
	const missing = join(folder, "missing");
	await writeFile(join(folder, "sub", "damaged.txt"), '{"type":"session","id":"h"}\n{"ty\n');
	const done = await run({ paths: [folder, missing, join(folder, "sub", "damaged.txt")] });
	const text = formatReport(createReport(done, { policies, budget, fixed }));
	expect(text).toContain("4 sessions, budget 4.0k tokens; episodes: 0 annotated, 4 inferred");
	expect(text).toMatch(/^none .*\n^paper /m);
	expect(text).toContain(
		`Damaged lines: 1\n  ${join(folder, "sub", "damaged.txt")}:2: no JSON object: skipped`,
	);
	expect(text).toContain(`Not replayed: 1\n  ${missing}: there is no such file`);
});

test("requests files are named after session and policy", async () => {
	const requests = join(folder, "requests");
	await run({ requests: { folder: requests, form: "delta" } });
	expect((await readdir(requests)).sort()).toEqual([
		"long.none.jsonl",
		"long.paper.jsonl",
		"long~2.none.jsonl",
		"long~2.paper.jsonl",
		"short.none.jsonl",
		"short.paper.jsonl",
	]);
	await rm(requests, { recursive: true });
});

test("an interrupted run answers the sessions that it finished", async () => {
	const interrupt = new AbortController();
	const seen: string[] = [];
	const onProgress = ({ done, files, session }: Progress) => {
		seen.push(`${done}/${files} ${session}`);
		if (done === 1) interrupt.abort();
	};
	const requests = { folder: join(folder, "cut"), form: "full" } as const;
	const done = await run({ signal: interrupt.signal, onProgress, requests });
	expect(seen).toEqual(["0/3 long", "1/3 short"]);
	expect(done).toMatchObject({ sessions: 1, isInterrupted: true });
	expect(done.results.map(({ session, policy }) => `${session} ${policy}`)).toEqual([
		"long none",
		"long paper",
	]);
	expect((await readdir(requests.folder)).sort()).toEqual(["long.none.jsonl", "long.paper.jsonl"]);
	await rm(requests.folder, { recursive: true });
});
