import { describe, expect, it } from "vitest";
import { parseConditions } from "./conditions.ts";
import { runCondition } from "./run.ts";
import { startScriptedPi } from "./scripted-agents.ts";

/** Enough tasks to press a budget of this size. */
const TASKS = 2;
const BUDGET = 16_000;

async function run(list: string) {
	const [condition] = parseConditions(list, [BUDGET]);
	if (!condition) throw new Error(`no condition ${list}`);
	const options = {
		condition,
		seed: 1,
		tasks: TASKS,
		isTerse: true,
		difficulty: "normal" as const,
		onProgress: () => undefined,
	};
	return runCondition({ ...options, signal: new AbortController().signal }, startScriptedPi);
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

	it("can run under a policy of the replay", async () => {
		const record = await run("window");
		expect(record.requests.length).toBeGreaterThan(TASKS);
		expect(Math.max(...record.requests.map(({ tokens }) => tokens))).toBeLessThanOrEqual(BUDGET);
	});

	it("stop after the current one when the user interrupts", async () => {
		const [condition] = parseConditions("cwl", [BUDGET]);
		if (!condition) throw new Error("no condition");
		const stop = new AbortController();
		const onProgress = () => stop.abort();
		const options = {
			condition,
			seed: 1,
			tasks: TASKS,
			isTerse: true,
			difficulty: "normal" as const,
			signal: stop.signal,
			onProgress,
		};
		expect((await runCondition(options, startScriptedPi)).results).toHaveLength(1);
	});
});
