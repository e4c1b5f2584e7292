import { describe, expect, it } from "vitest";
import { parseConditions } from "./conditions.ts";
import { createExplorationMeter } from "./exploration.ts";
import { startScriptedPi, takeNote } from "./pi-agent.ts";
import { generatedStage, type Meters, runCondition } from "./run.ts";

/** Enough tasks to press a budget of this size. */
const TASKS = 2;
const BUDGET = 16_000;

async function run(list: string, stop = new AbortController(), onProgress = () => {}) {
	const [condition] = parseConditions(list, [BUDGET]);
	if (!condition) throw new Error(`no condition ${list}`);
	const about = { seed: 1, difficulty: "normal" } as const;
	const stage = generatedStage({ ...about, tasks: TASKS });
	return runCondition({ ...about, ...stage, condition, signal: stop.signal, onProgress }, startScriptedPi);
}

const solved = ({ results }: Awaited<ReturnType<typeof run>>) =>
	results.filter(({ isSolved }) => isSolved).length;

describe("tasks through the real pi", { timeout: 120_000 }, () => {
	it("are all solved in one session within its budget, without a refused request", async () => {
		const record = await run("cwl");
		expect(solved(record)).toBe(TASKS);
		expect(record.requests.length).toBeGreaterThan(10 * TASKS);
		expect(record.requests.filter(({ isRefused }) => isRefused)).toEqual([]);
		expect(Math.max(...record.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(BUDGET);
	});

	it("are all solved in isolated sessions, each of which begins small", async () => {
		const record = await run("isolated");
		expect(solved(record)).toBe(TASKS);
		const sizes = record.requests.map(({ tokens }) => tokens);
		const starts = sizes.filter((size, index) => index === 0 || size < (sizes[index - 1] ?? 0));
		expect(starts).toHaveLength(TASKS);
	});

	it("are solved under pi's own compaction, whose summaries count as requests", async () => {
		const record = await run("compaction");
		expect(solved(record)).toBe(TASKS);
		expect(record.requests.some(({ isSummary }) => isSummary)).toBe(true);
	});

	it("are refused under a policy of the replay, which runs in process only", async () => {
		await expect(run("window")).rejects.toThrow("window-16k does not run through pi: add --in-process.");
	});

	it("stop after the current one when the user interrupts", async () => {
		const stop = new AbortController();
		expect((await run("cwl", stop, () => stop.abort())).results).toHaveLength(1);
	});
});

describe("a real model", () => {
	const startMeters = (): Meters => ({
		requests: [],
		exploration: createExplorationMeter(),
		stop: new AbortController(),
		paid: undefined,
	});
	const reply = (total: number) => ({
		type: "message_end",
		message: {
			role: "assistant",
			stopReason: "stop",
			usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, cost: { total } },
		},
	});

	it("is charged by the provider's own figures, and stops once its cost exceeds the cap", () => {
		const meters = startMeters();
		takeNote(meters, reply(1), 1.5);
		const sizes = { tokens: 130, cachedTokens: 100, prefixTokens: 100, outputTokens: 5 };
		expect(meters.requests).toEqual([{ ...sizes, isRefused: false, isSummary: false }]);
		expect([meters.paid, meters.stop.signal.aborted]).toEqual([1, false]);
		takeNote(meters, reply(1), 1.5);
		expect(meters.stop.signal.aborted).toBe(true);
	});

	it("makes no request by messages of users, and a repeated read counts as exploration", () => {
		const meters = startMeters();
		const look = { type: "tool_execution_start", toolName: "read", args: { path: "a" } };
		for (const event of [{ type: "message_end", message: { role: "user" } }, look, look])
			takeNote(meters, event, 1);
		expect(meters.requests).toEqual([]);
		expect(meters.exploration.repeated()).toBe(1);
	});
});
