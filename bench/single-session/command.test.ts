import { expect, test } from "vitest";
import type { ArmFigures, Row } from "../arms.ts";
import { runBench } from "../test-support/bench-program.ts";

test("prints the figures of every condition as JSON, for each seed", async () => {
	const args = ["single-session", "--tasks", "1", "--json"];
	const { code, stdout, stderr } = await runBench(...args, "--conditions", "isolated,cwl");
	expect(code).toBe(0);
	expect(stderr).toMatch(/^2 of 2 tasks, .*cwl-80k: 1 solved/m);
	const { conditions, machine, arms } = JSON.parse(stdout);
	expect(machine.node).toBe(process.versions.node);
	expect(Object.keys(conditions)).toEqual(["isolated", "cwl-80k"]);
	for (const row of Object.values<Row>(conditions)) {
		expect(row).toMatchObject({ tasks: 1, solved: 1, readAgain: 0, refused: 0 });
		for (const key of ["calls", "tokens", "largest", "cached", "cost", "minutes"])
			expect(row[key]).toBeGreaterThan(0);
	}
	expect(arms.map(({ name, trials }: ArmFigures) => [name, trials.length])).toEqual([
		["isolated", 1],
		["cwl-80k", 1],
	]);
	const again = await runBench(...args, "--conditions", "cwl", "--seeds", "2", "--seed-from", "2");
	expect(JSON.parse(again.stdout)).toMatchObject({ seeds: [2, 3], conditions: { "cwl-80k": { seeds: 2 } } });
	expect(again.stderr).toMatch(/^2 of 2 tasks, .*cwl-80k: 1 solved/m);
});
