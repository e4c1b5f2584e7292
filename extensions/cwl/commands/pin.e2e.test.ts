import { expect, test } from "vitest";
import { levelOf, readState, textOf } from "../test-support/state.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

test("a pinned episode stays whatever the pressure, but for thinking that a pass makes invalid, after a resume too, until it is unpinned", async () => {
	const trial = await startWorkTrial(3, 6);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	for (const prompt of trial.prompts.slice(0, 2)) await pi.prompt(prompt);
	const { nextPass } = await readState(pi);
	const name = nextPass.strips[0]?.episode ?? "";
	expect(textOf(await pi.command(`/cwl pin ${name}`))).toMatch(
		/is pinned: its [\d.]+k? tokens stay until \/cwl unpin\.$/,
	);
	expect(textOf(await pi.command(`/cwl pin ${name}`))).toBe(`cwl: ${name} is pinned already.`);
	expect(textOf(await pi.command(`/cwl evict ${name}`))).toBe(`cwl: ${name} is pinned: /cwl unpin it first.`);
	const strips = (await readState(pi)).nextPass.strips.filter(({ level }) => level > 1);
	expect(strips.map(({ episode }) => episode)).not.toContain(name);
	await pi.kill();

	const resumed = trial.rpc({ args: ["-c"], environment: { CWL_BUDGET: "24k" } });
	for (const prompt of trial.prompts.slice(2, 4)) await resumed.prompt(prompt);
	expect((await readState(resumed)).passes.length).toBeGreaterThan(0);
	expect(await levelOf(resumed, name)).toBeLessThanOrEqual(1);
	expect(textOf(await resumed.command(`/cwl why ${name}`))).toMatch(/ since you pinned it\.$/);
	expect(textOf(await resumed.command(`/cwl unpin ${name}`))).toBe(`cwl: ${name} is no longer pinned.`);
	expect(textOf(await resumed.command(`/cwl unpin ${name}`))).toBe(`cwl: ${name} is not pinned.`);
	await resumed.command("/cwl budget 20k");
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(await levelOf(resumed, name)).toBe(4);
	expect(textOf(await resumed.command(`/cwl pin ${name}`))).toMatch(
		/is evicted already, and a pin brings nothing back/,
	);
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});

test("pins on everything are named as what blocks the budget", async () => {
	const trial = await startWorkTrial(3, 3);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	for (const prompt of trial.prompts.slice(0, 2)) await pi.prompt(prompt);
	for (const { name } of (await readState(pi)).episodes) await pi.command(`/cwl pin ${name}`);
	await pi.command("/cwl budget 6k");
	await pi.prompt(trial.prompts[2] ?? "");
	const warned = pi.notices().filter(({ kind }) => kind === "warning");
	expect(textOf(warned)).toMatch(
		/tokens and nothing safe left to evict\. Largest: \d+ pinned episodes \([\d.]+k\); \/cwl unpin \S+, or raise the budget\./,
	);
});
