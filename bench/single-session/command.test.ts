import { expect, test } from "vitest";
import { runBench } from "../test-support/bench-program.ts";

test("prints the figures of every condition as JSON, for each seed", async () => {
	const args = ["single-session", "--tasks", "1", "--in-process", "--json"];
	const { code, stdout, stderr } = await runBench(...args, "--conditions", "isolated,cwl");
	expect(code).toBe(0);
	expect(stderr).toMatch(/^2 of 2 tasks, .*cwl-80k, seed 1: 1 solved/m);
	const { conditions, machines } = JSON.parse(stdout);
	expect(machines).toHaveLength(1);
	const solved = conditions.map(
		(one: Record<string, unknown>) => `${one.name} ${one.solved} of ${one.tasks}`,
	);
	expect(solved).toEqual(["isolated 1 of 1", "cwl-80k 1 of 1"]);
	for (const condition of conditions) {
		for (const key of ["requests", "tokensProcessed", "peakContext", "cachedShare", "wallSeconds"])
			expect(condition[key]).toBeGreaterThan(0);
		expect(condition).toMatchObject({ overBudget: 0, refused: 0, reexplorations: 0 });
		expect(condition.cost.anthropic).toBeGreaterThan(0);
		expect(condition.cost.openai).toBeGreaterThan(0);
	}
	const again = await runBench(...args, "--conditions", "cwl", "--seeds", "2", "--seed-from", "2");
	expect(JSON.parse(again.stdout).conditions).toMatchObject([{ seeds: [2, 3] }]);
	expect(again.stderr).toMatch(/^2 of 2 tasks, .*cwl-80k, seed 3: 1 solved/m);
});
