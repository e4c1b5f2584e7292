import { expect, test } from "vitest";
import { makeTasks } from "#testing/worker/tasks";
import { readState } from "../../extensions/cwl/test-support/state.ts";
import { startWorkTrial } from "../../extensions/cwl/test-support/work-trial.ts";
import { readResumedState } from "./resumed-state.ts";

test("25 tasks under a budget of 24k: every pass keeps the budget, every task is solved, and the file alone gives the same state", async () => {
	const trial = await startWorkTrial(1, 25, { api: "anthropic" });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k", CWL_POLICY: "cwl" } });
	for (const task of makeTasks(1, 25)) {
		await pi.prompt(task.prompt);
		expect(await task.verify(trial.work)).toBe(true);
	}
	const sizes = trial.loopback.records().map(({ promptTokens }) => promptTokens);
	expect(sizes.filter((size) => size > 24_000)).toEqual([]);
	expect(Math.max(...sizes)).toBeGreaterThan(12_000);
	const passes = pi.notices().filter(({ text }) => /^cwl: [\d.]+k? tokens evicted from \S/.test(text));
	expect(passes.length).toBeGreaterThanOrEqual(10);
	expect(trial.breaks()).toHaveLength(passes.length);
	const { episodes, passes: log } = await readState(pi);
	expect(episodes.length).toBeGreaterThan(25);
	const file = await pi.file();
	await pi.close();
	const resumed = await readResumedState(file, trial.work, "24k");
	expect([resumed?.episodes, resumed?.passes]).toEqual([episodes, log]);
});
