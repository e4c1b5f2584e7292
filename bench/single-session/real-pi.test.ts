import { describe, expect, it } from "vitest";
import { parseConditions } from "./conditions.ts";
import { scriptedPi } from "./pi-agent.ts";
import { generatedStage, runCondition } from "./run.ts";

/** Enough tasks to press a budget of this size. */
const TASKS = 2;
const BUDGET = 16_000;

async function run(list: string, stop = new AbortController(), onProgress = () => {}) {
	const [condition] = parseConditions(list, [BUDGET]);
	if (!condition) throw new Error(`no condition ${list}`);
	const about = { seed: 1, difficulty: "normal" } as const;
	const stage = generatedStage(about.difficulty, about.seed, TASKS);
	return runCondition({ ...about, ...stage, condition, signal: stop.signal, onProgress }, scriptedPi());
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
