import { describe, expect, it } from "vitest";
import { createScratchRepository, DEPLOY_SCRIPT } from "#loopback/worker";
import { LINKED_ROUND, makeHardTasks, makeTasks } from "#loopback/worker/tasks";
import { parseConditions } from "./conditions.ts";
import { startScriptedLoop } from "./local-agent.ts";
import { type RunOptions, runCondition } from "./run.ts";

/** Enough for most kinds of tasks to come once. */
const TASKS = 12;

function normalTasks(): Pick<RunOptions, "create" | "tasks" | "seed"> {
	const seed = 3;
	return {
		seed,
		create: (directory) => createScratchRepository(directory, seed),
		tasks: makeTasks(seed, TASKS, LINKED_ROUND),
	};
}

function hardTasks(): Pick<RunOptions, "create" | "tasks" | "seed"> {
	const seed = 1;
	return {
		seed,
		create: (directory) => createScratchRepository(directory, seed, [DEPLOY_SCRIPT]),
		tasks: makeHardTasks(seed, 20, { low: 6, high: 9 }),
	};
}

async function runUnder(name: string, budget: number, stage: ReturnType<typeof normalTasks>) {
	const [condition] = parseConditions(name, [budget]);
	if (!condition) throw new Error(`no condition ${name}`);
	const { signal } = new AbortController();
	const options = { ...stage, condition, difficulty: "normal", signal, onProgress: () => {} } as const;
	const { results, requests } = await runCondition(options, startScriptedLoop);
	const unsolved = results.filter(({ isSolved }) => !isSolved).map(({ id }) => id.replace(/^task-\d+-/, ""));
	expect(results).toHaveLength(stage.tasks.length);
	return { unsolved, requests };
}

describe("the worker, run by pi's agent in this process", { timeout: 90_000 }, () => {
	it("solves every task in isolated sessions", async () => {
		const { unsolved, requests } = await runUnder("isolated", 80_000, normalTasks());
		expect(unsolved).toEqual([]);
		expect(requests.length).toBeGreaterThan(10 * TASKS);
	});

	it("fails tasks under a window that drops the oldest messages", async () => {
		const { unsolved, requests } = await runUnder("window", 10_000, normalTasks());
		expect(unsolved.length).toBeGreaterThan(1);
		expect(requests.some(({ prefixTokens, tokens }) => prefixTokens < tokens / 2)).toBe(true);
	});

	it("solves every task under a budget that the policy keeps", async () => {
		const { unsolved, requests } = await runUnder("cwl", 30_000, normalTasks());
		expect(unsolved).toEqual([]);
		expect(Math.max(...requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(30_000);
	});

	it.each([
		["recency", ["advise", "release"]],
		["cwl-without-recall", ["advise", "release"]],
		["cwl", []],
	])("under %s loses of what a log showed: %j", async (policy, lost) => {
		// Two logs of deployments and little more.
		const { unsolved } = await runUnder(policy, 16_000, hardTasks());
		expect([...new Set(unsolved)].toSorted()).toEqual(lost);
	});
});
