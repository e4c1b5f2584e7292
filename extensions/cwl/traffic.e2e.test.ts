import { expect, test } from "vitest";
import { totalRecords } from "#loopback";
import { formatTokens } from "#pi";
import { startWorkTrial } from "./test-support/work-trial.ts";

const environment = { CWL_BUDGET: "24k", CWL_POLICY: "cwl" };

test.each(["anthropic", "responses", "completions"] as const)(
	"over %s, what the session says of its input is what the server computed, column by column",
	async (api) => {
		const trial = await startWorkTrial(1, 8, { api });
		const pi = trial.rpc({ environment });
		for (const prompt of trial.prompts) await pi.prompt(prompt);
		// The last answer is settled by the request after it.
		const [last, ...settled] = trial.loopback.records().toReversed();
		const { promptTokens, cachedTokens, breaks } = totalRecords(settled);
		const [state] = await pi.command("/cwl");
		const traffic = state?.text.split("\n").find((line) => line.includes("tokens of input so far"));
		expect(last?.refused).toBeUndefined();
		expect(breaks).toBeGreaterThan(1);
		expect(traffic).toContain(`${formatTokens(promptTokens)} tokens of input so far`);
		expect(traffic).toContain(`cached ${formatTokens(cachedTokens)},`);
		expect(traffic).toMatch(/added .*, rewritten /);
		expect(traffic).not.toContain("expired");
	},
	60_000,
);

test("a tokenizer that counts a third more is learnt, and the budget holds by its count", async () => {
	const factor = 1.35;
	const trial = await startWorkTrial(1, 8, {
		api: "responses",
		fault: () => ({ type: "usage-scaled", factor }),
	});
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const records = trial.loopback.records();
	const peak = Math.max(...records.map(({ promptTokens }) => promptTokens * factor));
	expect(totalRecords(records).breaks).toBeGreaterThan(1);
	expect(peak).toBeLessThanOrEqual(24_000);
	expect(peak).toBeGreaterThan(20_000);
});

test("without any usage, the budget holds by our own count", async () => {
	const trial = await startWorkTrial(1, 6, { api: "completions", fault: () => ({ type: "usage-missing" }) });
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const sizes = trial.loopback.records().map(({ promptTokens }) => promptTokens);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(24_000);
	expect(Math.max(...sizes)).toBeGreaterThan(20_000);
});
