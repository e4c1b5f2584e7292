import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Fault } from "#testing/server";
import { startTrial, type Trial } from "../../extensions/cwl/test-support/trial.ts";
import { createSample } from "../commits/test-support/sample.ts";
import { generatedStage } from "../single-session/run.ts";
import { BENCH } from "../test-support/bench-program.ts";
import type { LiveReport } from "./page.ts";

/** Of two tasks. */
const ALL = [true, true];
const ARMS = ["isolated", "none", "compaction", "paper", "cwl", "cwl-without-marks"];
/** As the price list of the loopback's model: dollars per million tokens. */
const [INPUT, READ, WRITE, OUTPUT] = [3, 0.3, 3.75, 15];

/** A provider with the worker, and a pi that has its key. pi tries again by itself, without its pauses. */
const startProvider = (fault?: (index: number) => Fault | undefined) =>
	startTrial({
		model: generatedStage("normal", 1, 0).worker,
		...{ api: "anthropic", contextWindow: 1_000_000, ...(fault && { fault }) },
		settings: { retry: { enabled: true, maxRetries: 3, baseDelayMs: 10 } },
	});

const flags = (trial: Trial, ...more: readonly string[]) => [
	...["live", "--model", "loopback/anthropic", "--source", "normal", "--tasks", "2", "--seed", "1", "--json"],
	...[
		"--budget",
		"16k",
		"--max-cost",
		"50",
		"--yes",
		"--to",
		join(trial.directory, "run"),
		"--arms",
		ARMS.join(),
		...more,
	],
];

async function live(trial: Trial, ...more: readonly string[]) {
	const { code, stdout, stderr } = await trial.run(flags(trial, ...more), { program: BENCH });
	if (stdout === "") throw new Error(`exit code ${code}: ${stderr}`);
	const report: LiveReport = JSON.parse(stdout);
	return { code, stderr, report, page: await readFile(join(trial.directory, "run", "results.md"), "utf8") };
}

/** Dollars of everything that the provider answered. */
const billed = (trial: Trial) =>
	trial.loopback.records().reduce((sum, { promptTokens, cachedTokens, writtenTokens, outputTokens }) => {
		const fresh = promptTokens - cachedTokens - writtenTokens;
		return sum + (fresh * INPUT + cachedTokens * READ + writtenTokens * WRITE + outputTokens * OUTPUT) / 1e6;
	}, 0);

/** Keeps pi for 3 s at the begin of a run, and its events waiting, as a machine under load does. */
const SLOW_EXTENSION = `export default (pi) => {
	pi.on("before_agent_start", () => {
		const until = performance.now() + 3_000;
		while (performance.now() < until);
	});
	pi.on("message_end", () => new Promise((resolve) => setTimeout(resolve, 100)));
};`;

const solved = ({ arms }: LiveReport) => arms.map(({ trials }) => trials.map((trial) => trial.solved));
const requests = ({ arms }: LiveReport) => arms.map(({ trials }) => trials.map((trial) => trial.requests));

let whole: LiveReport | undefined;
/** Requests of each trial of these arms when nothing stops them. */
async function undisturbed(...names: readonly string[]) {
	whole ??= (await live(await startProvider())).report;
	return requests({
		...whole,
		arms: whole.arms.filter(({ name }) => names.includes(name.replace("-16k", ""))),
	});
}

describe("a live run", () => {
	test("does every task under all arms, costs what the provider bills, and has nothing left to do the next time", async () => {
		const trial = await startProvider();
		const { code, report, stderr, page } = await live(trial);
		expect([code, report.ending]).toEqual([0, ""]);
		expect(stderr).toContain("2 normal tasks, seed 1, in ");
		expect(report.arms.map(({ name }) => name.replace("-16k", ""))).toEqual(ARMS);
		expect(solved(report)).toEqual(ARMS.map(() => ALL));
		expect(report.spent / billed(trial)).toBeCloseTo(1, 1);
		const [isolated, none, compaction, paper, cwl, bare] = report.arms;
		expect(none?.trials.map(({ summaries }) => summaries)).toEqual([0, 0]);
		expect(compaction?.trials.some(({ summaries }) => summaries > 0)).toBe(true);
		expect([isolated, none, compaction, bare].map((arm) => arm?.marks.episodes)).toEqual([0, 0, 0, 0]);
		for (const arm of [paper, cwl]) {
			expect(arm?.marks.episodes).toBeGreaterThan(0);
			expect(arm?.marks.written).toBeGreaterThan(0);
		}
		for (const arm of [compaction, paper, cwl, bare])
			for (const { largest } of arm?.trials ?? []) expect(largest).toBeLessThanOrEqual(18_000);
		expect(page).toContain("## The registered question");
		expect(page).toContain("## Do models mark?");
		// Without `delimiter` and `recall`, the model is shown the same under every arm.
		const shown = trial.loopback.records().flatMap(({ body }) => {
			const { system, tools } = Object(body);
			if (!Array.isArray(tools)) return [];
			const names = tools.map(({ name }) => String(name)).toSorted();
			const prompt = JSON.stringify(system).replaceAll(/\b\d{6}\b|Working directory: [^"]*/g, "");
			return [{ names, prompt }];
		});
		const basic = ["bash", "edit", "glob", "grep", "read", "write"];
		expect(new Set(shown.map(({ names }) => names.join()))).toEqual(
			new Set(
				[basic, [...basic, "recall"].toSorted(), [...basic, "delimiter", "recall"].toSorted()].map(String),
			),
		);
		const without = shown.filter(({ names }) => !names.includes("delimiter"));
		expect(new Set(without.map(({ prompt }) => prompt)).size).toBe(1);
		const before = trial.loopback.records().length;
		const again = await live(trial);
		expect(again.report.arms).toEqual(report.arms);
		whole = report;
		expect(trial.loopback.records()).toHaveLength(before);
	});

	test("stops at its cost in the middle of a trial, and goes on with more, and after a kill, as if nothing had happened", async () => {
		const kill = new AbortController();
		const trial = await startProvider((index) => void (index === 60 && kill.abort()));
		const arms = ["--arms", "isolated,compaction,cwl"];
		const first = await live(trial, ...arms, "--max-cost", "0.12");
		expect(first.report.ending).toBe("it reached its cost of $0.12");
		expect(first.page).toContain("Stopped because it reached its cost of $0.12");
		expect(first.report.spent).toBeLessThan(0.15);
		const [program, ...args] = [...BENCH, ...flags(trial, ...arms)];
		const child = spawn(program ?? "", args, { cwd: trial.work, env: { ...trial.environment() } });
		kill.signal.addEventListener("abort", () => child.kill("SIGKILL"));
		expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
		const { report } = await live(trial, ...arms);
		expect(report.ending).toBe("");
		expect(solved(report)).toEqual([ALL, ALL, ALL]);
		expect(requests(report)).toEqual(await undisturbed("isolated", "compaction", "cwl"));
		expect(report.arms.some(({ dropped }) => dropped > 0)).toBe(true);
		expect(report.spent / billed(trial)).toBeCloseTo(1, 1);
	});

	test("repeats a trial whose provider fails, and does without the answers that broke off", async () => {
		// The silence comes in a later trial than the others, because a trial is repeated once.
		const faults = new Map<number, Fault>([
			[3, { type: "status", status: 429 }],
			[6, { type: "status", status: 529 }],
			[9, { type: "reset" }],
			[50, { type: "stall" }],
		]);
		const trial = await startProvider((index) => faults.get(index));
		const { report } = await live(trial, "--arms", "none,cwl", "--silence", "15");
		expect(report.ending).toBe("");
		expect(solved(report)).toEqual([ALL, ALL]);
		const records = trial.loopback.records();
		expect(records.flatMap(({ refused }) => refused?.status ?? [])).toEqual([429, 529]);
		expect(report.arms.some(({ dropped }) => dropped > 0)).toBe(true);
	});

	test("waits for pi's report of the end, and a pi that is kept waiting is no silent provider", async () => {
		const trial = await startProvider((index) => (index === 5 ? { type: "reset" } : undefined));
		const slow = join(trial.directory, "slow.mjs");
		await writeFile(slow, SLOW_EXTENSION);
		const { report } = await live(
			trial,
			"--arms",
			"peer",
			"--peer",
			slow,
			"--silence",
			"2",
			"--budget",
			"80k",
		);
		expect(solved(report)).toEqual([ALL]);
		expect(report.arms.map(({ dropped }) => dropped)).toEqual([0]);
		expect(
			requests(report)
				.flat()
				.reduce((all, each) => all + each),
		).toBe(trial.loopback.records().length);
	});

	test("ends when the provider answers nothing any more, and a task whose provider failed twice counts in no arm", async () => {
		const trial = await startProvider((index) => (index >= 20 ? { type: "status", status: 529 } : undefined));
		const { report, page } = await live(trial, "--arms", "none,cwl");
		expect(report.ending).toMatch(/^the provider failed in every trial: /);
		expect(page).toContain("Stopped because the provider failed");
		const voids = report.arms.flatMap(({ trials }) => trials.filter(({ isVoid }) => isVoid));
		expect(voids.length).toBeGreaterThan(0);
	});
});

test("a rehearsal needs no model, and makes the commits of a clone", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const args = ["live", "--rehearse", "--source", createSample(), "--tasks", "3", "--json"];
	const { stdout } = await trial.run([...args, "--arms", "none,cwl"], { program: BENCH });
	const report: LiveReport = JSON.parse(stdout);
	for (const { trials } of report.arms) expect(trials.some(({ cached }) => cached > 0)).toBe(true);
	expect(solved(report)).toEqual([
		[true, true, true],
		[true, true, true],
	]);
	expect(await readFile(join(trial.work, "live-run", "results.md"), "utf8")).toContain(
		"**No model took part.**",
	);
	expect(trial.loopback.records()).toEqual([]);
});

test("pi's compaction after a complete answer that passes the window does not keep the next task waiting", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const args = ["live", "--rehearse", "--source", "normal", "--tasks", "3", "--seed", "1", "--json"];
	const long = ["--added", "1500", "--budget", "8k", "--arms", "compaction", "--silence", "30"];
	const { stdout } = await trial.run([...args, ...long], { program: BENCH });
	const report: LiveReport = JSON.parse(stdout);
	const [arm] = report.arms;
	expect(arm?.trials.map(({ isVoid }) => isVoid)).toEqual([false, false, false]);
	// pi continues by itself after this size: its window is the budget and what pi keeps free.
	expect(Math.max(...(arm?.trials.map(({ largest }) => largest) ?? []))).toBeGreaterThan(8_000 + 16_384);
});

test.each([
	[["--model", "anthropic/claude-sonnet-4-6"], "pi has no key for anthropic; nothing was run or spent."],
	[["--model", "loopback/antropic"], 'pi knows no model antropic of loopback. Did you mean "anthropic"?'],
	[["--arms", "window"], "window-16k does not run through pi, only in single-session."],
	[["--max-cost", "0"], "a model costs money: say at how many dollars to stop"],
	[["--arms", "peer"], "the arm `peer` needs --peer PATH."],
	[["--arms", "compaction-full"], "compaction-full-16k does not run through pi, only in single-session."],
	[["--source", "/nowhere"], "/nowhere: git rev-parse failed"],
])("%j is refused in one line, before anything is written", async (args, message) => {
	const trial = await startProvider();
	const { code, stdout, stderr } = await trial.run(flags(trial, ...args), { program: BENCH });
	expect([code, stdout]).toEqual([2, ""]);
	expect(stderr).toMatch(/^bench: [^\n]+\n$/);
	expect(stderr).toContain(message);
	await expect(access(join(trial.directory, "run"))).rejects.toThrow();
});

test("a folder that holds another run is refused", async () => {
	const trial = await startProvider();
	await live(trial, "--arms", "cwl", "--tasks", "1");
	const { code, stderr } = await trial.run(flags(trial, "--arms", "cwl"), { program: BENCH });
	expect([code, stderr]).toEqual([
		2,
		expect.stringMatching(
			/^bench: .* holds a run with tasks 1 instead of 2: name another folder with --to\.\n$/,
		),
	]);
});
