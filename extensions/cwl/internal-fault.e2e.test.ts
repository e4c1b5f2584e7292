import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PASS_ENTRY } from "#pi/session";
import { PI, PROJECT } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const extensions = join(PROJECT, "extensions", "cwl");
const poisoning = join(extensions, "test-support", "coexistence", "poisoning.ts");

test("rule 17: after a fault of ours the last good context goes out with what came since, and the fault is shown", async () => {
	const trial = await startWorkTrial(1, 6, { api: "anthropic" });
	const pi = trial.rpc({
		program: PI,
		args: ["-e", poisoning, "-e", join(extensions, "index.ts")],
		environment: { CWL_BUDGET: "24k" },
	});
	await pi.promptAll(trial.prompts);
	expect(pi.said("error")).toEqual([
		expect.stringMatching(
			/^cwl: internal fault, sending the last good context\. Please report: .*this result is poisoned.* at .*poisoning\.ts:\d+:\d+\)?$/,
		),
	]);
	const records = trial.loopback.records();
	const cuts = records.filter(({ extendsPrevious }, index) => index > 0 && !extendsPrevious);
	const passes = (await readFile(await pi.file(), "utf8")).split(`"customType":"${PASS_ENTRY}"`).length - 1;
	expect(passes).toBeGreaterThan(0);
	expect(cuts).toHaveLength(passes);
	expect(records.filter(({ promptTokens }) => promptTokens > 24_000)).toEqual([]);
	const said = trial.sent().join("\n");
	for (const prompt of trial.prompts) expect(said).toContain(prompt);
});

test("rule 17 while cwl is off: a fault is shown, and the request goes out", async () => {
	const trial = await startWorkTrial(1, 3, { api: "anthropic" });
	const pi = trial.rpc({ program: PI, args: ["-e", poisoning, "-e", join(extensions, "index.ts")] });
	const [first = "", second = "", third = ""] = trial.prompts;
	await pi.prompt(first);
	await pi.command("/cwl off");
	await pi.prompt(second);
	await pi.command("/poison");
	await pi.prompt(third);
	expect(pi.said("error")).toEqual([
		expect.stringMatching(/^cwl: internal fault, .*this result is poisoned.*$/),
	]);
});
