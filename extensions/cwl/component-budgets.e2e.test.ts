import { expect, test } from "vitest";
import { readsOnce, writeBigFile } from "./test-support/listener.ts";
import { readState } from "./test-support/state.ts";
import { startTrial } from "./test-support/trial.ts";

test("tool results over their hard limit force a pass far below the budget; the warning and the critical alert are told once each in a session, resumed or not", async () => {
	const settings = { cwl: { budget: "30k", policy: "fifo", componentBudgets: "toolResults=0.2/0.3" } };
	const trial = await startTrial({ model: readsOnce(), settings });
	await writeBigFile(trial);
	const pi = trial.rpc();
	const prompts = Array.from({ length: 16 }, (_, at) => `read part ${at}`);
	await pi.promptAll(prompts);
	const { passes, health, pressure } = await readState(pi);
	const forced = passes.filter(({ decision }) => decision?.reason === "over a hard limit");
	expect(forced.length).toBeGreaterThan(0);
	for (const { before, after } of forced) {
		expect(before).toBeLessThan(0.6 * pressure.budget);
		expect(before - after).toBeGreaterThan(0.05 * pressure.budget);
	}
	const results = health.components.find(({ component }) => component === "toolResults");
	expect(results?.used).toBeLessThanOrEqual(results?.hard ?? 0);
	const isTold = ({ text }: { readonly text: string }) => text.startsWith("cwl: tool results: ");
	expect(pi.notices().filter(isTold)).toMatchObject([{ kind: "warning" }, { kind: "error" }]);

	await pi.kill();
	const resumed = trial.resume();
	await resumed.prompt("thank you");
	expect(trial.loopback.records().at(-1)?.extendsPrevious).toBe(true);
	const later = await readState(resumed);
	const urgency = later.health.components.find(({ component }) => component === "toolResults")?.urgency;
	expect(later.alerts).toMatchObject([{ id: expect.stringMatching(/-limit toolResults$/), grade: urgency }]);
	expect(await resumed.answer("/cwl health")).toContain(`health: ${urgency}: tool results: `);
	expect(resumed.notices().filter(isTold)).toEqual([]);
});
