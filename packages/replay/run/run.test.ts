import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createScratch, scratchFolder } from "../../workspace/test-support/scratch.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { formatReport } from "../report/tables.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { replayWith, reportWith, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { armsUnder } from "./arms.ts";
import { createLocalRunner, createThreadRunner, type Runner } from "./jobs.ts";
import { type Progress, runReplays } from "./run.ts";
import { openReplay, type ReplaySettings } from "./setup.ts";

const folder = scratchFolder();
beforeAll(async () => {
	await writeSessionFile(join(folder, "long.jsonl"), writeLongSession(30));
	await writeSessionFile(join(folder, "short.jsonl"), writeLongSession(2));
	await writeSessionFile(join(folder, "sub", "long.jsonl"), writeLongSession(10));
});

test("every session is replayed under every policy, and the figures compare them", async () => {
	const report = await reportWith({ paths: [folder] });
	expect(report).toMatchObject({ version: 4, interrupted: false, problems: [], damage: [] });
	expect(report.advice).toBeNull();
	expect(report.sessions).toEqual({ planned: 3, replayed: 3, formats: { pi: 3 }, annotated: 0, pressed: 2 });
	const [uncapped, published] = report.policies;
	expect(uncapped).toMatchObject({ policy: "none", passes: 0, prefixBreaks: 0, violations: 0 });
	expect(uncapped?.overBudget).toBeGreaterThan(0);
	expect(uncapped?.grounding.edit.kept).toBe(uncapped?.grounding.edit.needed);
	expect(published).toMatchObject({ policy: "paper", overBudget: 0, violations: 0 });
	expect(published?.passes).toBe(published?.prefixBreaks);
	expect(published?.pressed?.requests).toBe(uncapped?.pressed?.requests);
	expect(published?.bySession.map(({ session }) => session)).toEqual(["long", "short", "long~2"]);
	const total = published?.bySession.reduce((sum, each) => sum + each.requests, 0);
	expect(total).toBe(published?.requests);
});

test("a policy that evicts finished work may do so within the budget, and breaks no rule by it", async () => {
	const sample = join(import.meta.dirname, "../../../docs/sample.jsonl");
	const arms = armsUnder(80_000, parsePolicies("cwl"));
	const { policies } = await reportWith({ paths: [sample], arms });
	expect(policies).toMatchObject([{ policy: "cwl", overBudget: 0, violations: 0 }]);
	expect(policies[0]?.passes).toBeGreaterThan(0);
	expect(policies[0]?.maxContext).toBeLessThan(40_000);
});

test("the table says what was replayed, how it compares, and what is wrong", async () => {
	const missing = join(folder, "missing");
	const damaged = join(folder, "sub", "damaged.txt");
	await writeFile(damaged, '{"type":"session","id":"h"}\n{"ty\n');
	const text = formatReport(await reportWith({ paths: [folder, missing, damaged] }));
	expect(text).toContain("3 sessions (pi), budget 4k tokens; sessions in which the agent marked its work: 0");
	expect(text).toMatch(/^none .*\n^paper /m);
	expect(text).toContain(`Damaged lines: 1\n  ${damaged}:2: no JSON object: skipped`);
	expect(text).toContain(`Not replayed: 2\n  ${missing}: there is no such file`);
	expect(text).toContain(`  ${damaged}: holds no answer of a model; leave it out.\n`);
});

test("a fault inside one session is its problem, named, and the others are replayed", async () => {
	const arms = underBudget("none");
	const [none] = arms;
	if (!none) throw new Error("no arm");
	const policy: ReplayPolicy = {
		...none.policy,
		open: (settings) => {
			const project = none.policy.open(settings);
			return (history) => {
				if (history.length > 20) throw new TypeError("api is not a text");
				return project(history);
			};
		},
	};
	const { replays, problems } = await replayWith({ paths: [folder], arms: [{ ...none, policy }] });
	expect(replays.map(({ session }) => session)).toEqual(["short"]);
	const [first, second] = problems;
	expect(problems).toHaveLength(2);
	expect(first?.code).toBe("bad-session");
	expect(first?.message).toContain("long.jsonl: cannot be replayed (TypeError: api is not a text)");
	expect(second?.message).toContain("sub/long.jsonl: cannot be replayed");
});

/** Sessions of Codex and Claude Code: B is a fork of A, and C one of B. */
const forks = join(import.meta.dirname, "../test-support/forks");

test("what a fork of Codex took over from its parent counts once, where both are replayed", async () => {
	const folder = join(forks, "codex");
	const arms = underBudget("none");
	const both = await reportWith({ paths: [folder], arms });
	expect(both.policies[0]?.requests).toBe(4);
	expect(both.damage.map(({ reason }) => reason)).toEqual([
		`forked from ${join(folder, "a.jsonl")}: its first 2 requests count there`,
	]);
	const alone = await reportWith({ paths: [join(folder, "b.jsonl")], arms });
	expect(alone.policies[0]?.requests).toBe(3);
});

test("what a fork of Claude Code took over from the session that its lines name counts once", async () => {
	const folder = join(forks, "claude-code");
	const { policies, damage } = await reportWith({ paths: [folder], arms: underBudget("none") });
	expect(policies[0]?.requests).toBe(5);
	expect(damage.map(({ reason }) => reason)).toEqual([
		`forked from ${join(folder, "a.jsonl")}: its first 2 requests count there`,
		`forked from ${join(folder, "b.jsonl")}: its first 3 requests count there`,
	]);
});

test("a copy that does not name its parent is known by its first entry", async () => {
	const copies = createScratch();
	const paths = ["a.jsonl", "b.jsonl"].map((name) => join(copies, name));
	for (const path of paths) {
		const text = await readFile(join(forks, "claude-code", basename(path)), "utf8");
		await writeFile(path, text.replaceAll(/,"forkedFrom":\{[^}]*\}/g, ""));
	}
	const { policies } = await reportWith({ paths, arms: underBudget("none") });
	expect(policies[0]?.requests).toBe(4);
});

test("with nothing replayed the table is left out, and the reason is told", async () => {
	const missing = join(folder, "missing");
	const text = formatReport(await reportWith({ paths: [missing] }));
	expect(text).toBe(
		`No session was replayed.\n\nNot replayed: 1\n  ${missing}: there is no such file or folder; check the path.\n`,
	);
});

test("an interrupted run answers the sessions that it finished", async () => {
	const interrupt = new AbortController();
	const seen: string[] = [];
	const onProgress = ({ done, sessions, session }: Progress) => {
		seen.push(`${done}/${sessions} ${session}`);
		if (done === 1) interrupt.abort();
	};
	const { signal } = interrupt;
	const run = await replayWith({ paths: [folder], signal, onProgress });
	expect(seen).toEqual(["0/3 long", "1/3 short"]);
	expect(run.isInterrupted).toBe(true);
	expect(run.replays.map(({ session, results }) => [session, ...results.map(({ arm }) => arm)])).toEqual([
		["long", "none", "paper"],
	]);
});

const settings: ReplaySettings = {
	as: undefined,
	policies: "none,paper,fifo:low=.7",
	budgets: [6_000],
	isSweep: false,
	models: ["openai/gpt-5"],
	requests: undefined,
	withContexts: true,
};

function runWith(runners: readonly Runner[], signal = new AbortController().signal) {
	const paths = [folder, join(folder, "missing.jsonl")];
	return runReplays({ paths, signal, onProgress: () => {}, createRunners: () => runners });
}

test("threads answer what this thread answers, in the same order", async () => {
	const threads = [createThreadRunner(settings), createThreadRunner(settings)];
	const alone = await runWith([createLocalRunner(await openReplay(settings))]);
	expect(JSON.stringify(await runWith(threads))).toBe(JSON.stringify(alone));
	expect(alone.replays).toHaveLength(3);
	expect(alone.problems).toHaveLength(1);
	expect(alone.replays[0]?.results[1]?.contexts.length).toBeGreaterThan(0);
});

test("a thread that is told to stop answers without a replay", async () => {
	const thread = createThreadRunner(settings);
	thread.stop();
	const outcome = await thread.run({ name: "a", place: { path: join(folder, "long.jsonl") } });
	expect(outcome).toMatchObject({ replay: undefined, problems: [] });
	await thread.close();
});
