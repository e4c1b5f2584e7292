import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cloneProject } from "./test-support/clone.ts";
import { PI, startTrial, type Trial } from "./test-support/trial.ts";

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

test("a budget that the first message alone exceeds is told once, with what is in the way", async () => {
	const trial = await startTrial({ model: answer });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "2k" } });
	await pi.prompt("word ".repeat(4_000));
	await pi.prompt("and?");
	expect(trial.loopback.records().map(({ refused }) => refused)).toEqual([undefined, undefined]);
	expect(pi.said("warning")).toEqual([
		expect.stringMatching(
			/^cwl: [\d.]+k of 2k tokens and nothing safe left to evict\. Largest: prologue \([\d.]+k\); .*raise the budget\.$/,
		),
	]);
});

test("where the dependencies were never installed, what to run is said once and every request goes out whole", async () => {
	const trial = await startTrial({ model: answer });
	const clone = join(trial.directory, "clone");
	await cloneProject(clone);
	const pi = trial.rpc({ program: PI, args: ["-e", join(clone, "extensions", "cwl", "index.ts")] });
	await pi.prompt("hello");
	await pi.prompt("and?");
	expect(pi.said("error")).toEqual([]);
	expect(pi.said("warning")).toEqual([
		expect.stringMatching(/^cwl: off, because its packages are not installed\. Run: npm ci --prefix '/),
	]);
	const said = trial.requests.at(-1)?.messages.map(({ text }) => text);
	expect(said?.filter((text) => !text.startsWith("<git-status "))).toEqual(["hello", "ok", "and?"]);
});
