import { describe, expect, it, test } from "vitest";
import { createScratchRepository, DEPLOY_SCRIPT } from "#testing/worker";
import { LINKED_ROUND, makeHardTasks, makeTasks } from "#testing/worker/tasks";
import { flatPrices } from "../../packages/core/test-support/prices.ts";
import { parseConditions } from "./conditions.ts";
import { generatedStage, measureTrial, runCondition, type Stage } from "./run.ts";

/** Enough for most kinds of tasks to come once. */
const TASKS = 12;

const { worker } = generatedStage("normal", 1, 0);
const normalTasks: Stage = {
	create: (directory) => createScratchRepository(directory, 3),
	tasks: makeTasks(3, TASKS, LINKED_ROUND),
	worker,
};
const hardTasks: Stage = {
	create: (directory) => createScratchRepository(directory, 1, [DEPLOY_SCRIPT]),
	tasks: makeHardTasks(1, 20, { low: 6, high: 9 }),
	worker,
};

async function runUnder(name: string, budget: string, stage: Stage) {
	const [condition] = parseConditions(name, budget);
	if (!condition) throw new Error(`no condition ${name}`);
	const { trials, requests } = await runCondition(stage, condition, new AbortController().signal);
	const unsolved = trials.filter(({ solved }) => !solved).map(({ task }) => task.replace(/^task-\d+-/, ""));
	expect(trials).toHaveLength(stage.tasks.length);
	return { condition, unsolved, requests };
}

describe("the worker, run by pi's agent in this process", () => {
	it.each([
		["isolated", "80k"],
		["cwl", "30k"],
	])("solves every task under %s, below %s tokens", async (name, budget) => {
		const { condition, unsolved, requests } = await runUnder(name, budget, normalTasks);
		expect(unsolved).toEqual([]);
		expect(requests.length).toBeGreaterThan(10 * TASKS);
		expect(Math.max(...requests.map(({ input }) => input))).toBeLessThanOrEqual(condition.budget);
	});

	it("fails tasks under a window that drops the oldest messages", async () => {
		const { unsolved, requests } = await runUnder("window", "10k", normalTasks);
		expect(unsolved.length).toBeGreaterThan(1);
		expect(requests.some(({ cached, input }) => cached < input / 2)).toBe(true);
	});

	it.each([
		["cwl-without-recall", ["advise", "release"]],
		["cwl", []],
	])("under %s loses of what a log showed: %j", async (policy, lost) => {
		// Two logs of deployments and little more.
		const { unsolved } = await runUnder(policy, "16k", hardTasks);
		expect([...new Set(unsolved)].toSorted()).toEqual(lost);
	});
});

test("a trial is priced by the tokens from the cache; a summary is paid, and is not the largest request", () => {
	const calls = { reads: 2, rereads: 1, recalls: 0 };
	const request = (input: number, isSummary: boolean) => ({ input, cached: 100, output: 10, isSummary });
	const prices = { ...flatPrices(), hits: () => 0 };
	const figures = measureTrial([request(500, false), request(1_200, true)], calls, prices);
	expect(figures).toMatchObject({
		requests: 2,
		summaries: 1,
		tokens: 1_700,
		cached: 200,
		largest: 500,
		calls,
	});
	expect(figures.cost).toBeCloseTo(0.1 * 200 + 1_500 + 5 * 20);
	expect(figures.seconds).toBeGreaterThan(1);
});
