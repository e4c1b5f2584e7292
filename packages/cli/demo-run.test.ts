import { expect, test } from "vitest";
import type { RequestRecord } from "#loopback";
import { parseBudget } from "#pi";
import { type DemoSummary, runTasks } from "./demo-run.ts";

interface Run {
	readonly summary: DemoSummary;
	readonly records: readonly RequestRecord[];
	/** The distinct footer lines of the extension. */
	readonly statuses: readonly string[];
}

async function run(options: Pick<Parameters<typeof runTasks>[0], "tasks" | "api" | "seed">): Promise<Run> {
	const records: RequestRecord[] = [];
	const statuses = new Set<string>();
	const summary = await runTasks({
		...options,
		budget: parseBudget("24k"),
		policy: "cwl",
		keep: false,
		signal: new AbortController().signal,
		onProgress(progress) {
			if (progress.type === "request") records.push(progress.record);
			if (progress.type === "status") statuses.add(progress.text);
		},
	});
	return { summary, records, statuses: [...statuses] };
}

function expectClean({ summary, records }: Run) {
	expect(records.filter(({ refused }) => refused).map(({ refused }) => refused?.message)).toEqual([]);
	expect(records.map(({ promptTokens }) => promptTokens).filter((size) => size > summary.budget)).toEqual([]);
	expect(summary).toMatchObject({ refused: 0, overBudget: 0, requests: records.length });
	expect(summary.tasks.done).toBe(summary.tasks.total);
}

test("25 tasks under a budget of 24k: every pass keeps the budget, every request is accepted, every task is solved", async () => {
	const outcome = await run({ tasks: 25, api: "anthropic", seed: 1 });
	expectClean(outcome);
	const { summary, records, statuses } = outcome;
	expect(summary.passes).toBeGreaterThanOrEqual(10);
	expect(summary.peakContext).toBeGreaterThan(summary.budget / 2);
	expect(records.filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(summary.passes);
	expect(statuses.some((line) => /^cwl \d+k\/24k \d+% .*· -[\d.]+k? \(\d+ episodes?\)$/.test(line))).toBe(
		true,
	);
}, 90_000);

test.each(["completions", "responses"] as const)(
	"under pressure, %s accepts every request",
	async (api) => {
		const outcome = await run({ tasks: 8, api, seed: 2 });
		expectClean(outcome);
		expect(outcome.summary.passes).toBeGreaterThan(1);
	},
	60_000,
);
