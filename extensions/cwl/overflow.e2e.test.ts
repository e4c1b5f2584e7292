import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { briefPath } from "#pi/brief";
import type { Fault } from "#testing/server";
import { ask, readerModel } from "./test-support/reader-model.ts";
import { startTrial, until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const overflowAt =
	(...indices: readonly number[]) =>
	(index: number): Fault | undefined =>
		indices.includes(index) ? { type: "overflow" } : undefined;

test.each([true, false])(
	"a request refused as too long is sent again, smaller, and the work goes on (pi's compaction %s)",
	async (enabled) => {
		const trial = await startWorkTrial(1, 6, {
			api: "anthropic",
			fault: overflowAt(24),
			settings: { compaction: { enabled } },
		});
		const pi = trial.rpc({ environment: { CWL_BUDGET: "60k", CWL_POLICY: "cwl" } });
		const ends = () => pi.events.filter(({ type }) => type === "agent_end").length;
		let runs = 0;
		for (const prompt of trial.prompts) {
			await pi.prompt(prompt);
			runs += 1;
			if (!trial.loopback.records().at(-1)?.refused) continue;
			// The run that was cut short is followed by another.
			runs += 1;
			await until(() => ends() === runs);
		}
		const records = trial.loopback.records();
		expect(records.filter(({ refused }) => refused).map(({ index }) => index)).toEqual([24]);
		const [refused, next] = records.slice(24).map(({ promptTokens }) => promptTokens);
		expect(next).toBeLessThan(0.8 * (refused ?? 0));
		expect(Math.max(...records.slice(25).map(({ promptTokens }) => promptTokens))).toBeLessThan(refused ?? 0);
		expect(runs).toBe(7);
		expect(pi.notices().map(({ text }) => text)).toContainEqual(
			expect.stringMatching(
				/^cwl: the provider refused a request as too long; trying once more with [\d.]+k tokens\.$/,
			),
		);
	},
);

test("a refusal saves the brief; a second one ends the run and says what to do", async () => {
	const trial = await startWorkTrial(1, 1, { fault: overflowAt(2, 3) });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k", CWL_POLICY: "cwl" } });
	await pi.prompt(trial.prompts[0] ?? "");
	await until(() => pi.events.filter(({ type }) => type === "agent_end").length === 2);
	await until(() => pi.notices().some(({ kind }) => kind === "error"));
	const file = await pi.file();
	await until(() => existsSync(briefPath(file)));
	expect(trial.requests.length).toBe(2);
	expect(trial.loopback.records().length).toBe(4);
	expect(pi.notices().findLast(({ kind }) => kind === "error")?.text).toMatch(
		/also after a tighter pass\. Set a smaller budget/,
	);
});

test("by default an output that no request can hold is shortened when it arrives; one that fits is sent whole", async () => {
	const lines = Array.from({ length: 600 }, (_, index) =>
		createHash("sha512").update(`${index}`).digest("base64"),
	);
	// Some 35,000 tokens, and 3,000.
	const small = lines.slice(550).join("\n");
	const files = { "large.log": lines.slice(0, 500).join("\n"), "small.log": small };
	const trial = await startTrial({ model: readerModel, api: "anthropic", contextWindow: 30_000, files });
	const pi = trial.rpc();
	const sent = await ask(trial, pi, "run cat large.log");
	expect(sent).toMatch(/tokens left out here; recall "[^"]+" gives the whole output\]/);
	for (const end of [lines[0], lines[499]]) expect(sent).toContain(end);
	expect(sent).not.toContain(lines[275]);
	expect(await ask(trial, pi, "run cat small.log")).toBe(small);
});
