import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratchRepository, createWorker, LINKED_ROUND, makeTasks, STYLES } from "#loopback";
import { loadTokenCounter } from "#pi";
import { parsePolicies } from "#replay";
import type { RequestFigure } from "./agent.ts";
import { createLocalAgent } from "./local-agent.ts";
import { runTasks } from "./run-tasks.ts";

let directory = "";
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "single-session-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Enough for most kinds of tasks to come once. */
const TASKS = 12;
const SEED = 3;

async function runRound(name: string, budget: number, isIsolated = false) {
	await createScratchRepository(directory, SEED);
	const tasks = makeTasks(SEED, TASKS, { round: LINKED_ROUND, isTerse: true });
	const [policy] = parsePolicies(name);
	if (!policy) throw new Error(`no policy ${name}`);
	const figures: RequestFigure[] = [];
	const agent = createLocalAgent({
		directory,
		model: createWorker({ style: STYLES.thorough }),
		policy,
		hasDelimiter: true,
		budget,
		fixed: { system: 400, tools: 500 },
		count: await loadTokenCounter(),
		onRequest: (figure) => figures.push(figure),
	});
	const signal = new AbortController().signal;
	const results = await runTasks({ directory, tasks, agent, isIsolated, signal });
	const unsolved = results.filter(({ isSolved }) => !isSolved).map(({ id }) => id);
	return { unsolved, figures };
}

describe("the worker, run by pi's agent in this process", { timeout: 90_000 }, () => {
	it("solves every task with the whole history in the context", async () => {
		expect((await runRound("none", 80_000)).unsolved).toEqual([]);
	});

	it("solves every task in isolated sessions", async () => {
		const { unsolved, figures } = await runRound("none", 80_000, true);
		expect(unsolved).toEqual([]);
		expect(figures.length).toBeGreaterThan(10 * TASKS);
	});

	it("fails tasks under a window that drops the oldest messages", async () => {
		const { unsolved, figures } = await runRound("window", 10_000);
		expect(unsolved.length).toBeGreaterThan(1);
		expect(figures.some(({ prefixTokens, tokens }) => prefixTokens < tokens / 2)).toBe(true);
	});

	it("solves every task under a budget that the policy keeps", async () => {
		const { unsolved, figures } = await runRound("cwl", 30_000);
		expect(unsolved).toEqual([]);
		expect(Math.max(...figures.map(({ tokens }) => tokens))).toBeLessThanOrEqual(30_000);
	});
});
