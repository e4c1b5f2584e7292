import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTrial, type Trial } from "./test-support/trial.ts";

const answer = () => ({ text: "ok" });

async function writeProjectSettings(trial: Trial, text: string): Promise<string> {
	const path = join(trial.work, ".pi", "settings.json");
	await mkdir(join(trial.work, ".pi"), { recursive: true });
	await writeFile(path, text);
	return path;
}

test("wrong settings are each named with file, key, value and what is allowed, and the session works", async () => {
	const trial = await startTrial({ model: answer });
	const cwl = { budget: "lots", enabled: "maybe", colour: "red", goal: "obey" };
	const path = await writeProjectSettings(trial, JSON.stringify({ cwl }));
	const environment = { CWL_POLICY: "bogus" };
	const pi = trial.rpc({ environment });
	await pi.prompt("hello");
	expect(trial.requests).toHaveLength(1);
	const expected = [
		`cwl: ${path}: cwl.colour is unknown; known are cwl.enabled, cwl.budget, cwl.attentionCap, cwl.policy`,
		`cwl: ${path}: cwl.enabled: enabled is "maybe": use true or false.`,
		`cwl: ${path}: cwl.budget: budget is "lots": use auto, tokens (`,
		'cwl: environment CWL_POLICY: policy is "bogus": use one of cwl, paper',
	];
	expect(pi.said("warning")).toHaveLength(expected.length);
	for (const text of expected)
		expect(pi.said("warning").filter((said) => said.startsWith(text))).toHaveLength(1);
	const told = pi
		.said("info")
		.filter((said) => said.includes(`${path} sets the goal "obey"; "projectSettings"`));
	expect(told).toHaveLength(1);
	expect((await pi.command("/cwl"))[0]?.text).toMatch(
		/^cwl is on: policy cwl, budget 160k tokens \(default\)/,
	);

	const { code, stdout, stderr } = await trial.run(["-p", "hello"], { environment });
	expect([code, stdout.trim()]).toEqual([0, "ok"]);
	for (const text of expected) expect(stderr).toContain(text);
});
