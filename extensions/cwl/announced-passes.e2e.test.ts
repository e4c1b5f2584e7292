/** The pass that is announced is the pass that comes with the next message. */

import { expect, test } from "vitest";
import type { StateReport } from "#pi/health";
import { momentText, showTokens } from "#pi/screen";
import { PREFIX_ENTRY } from "#pi/session";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { expectOneTruth, readScreens } from "./test-support/screens.ts";
import { readData } from "./test-support/session-entries.ts";
import { readState } from "./test-support/state.ts";
import { countRequest } from "./test-support/wire-figures.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

test("what plan and footer announce is the pass that the next message makes, after a resume with recalls too", async () => {
	const trial = await startWorkTrial(3, 6);
	const environment = { CWL_BUDGET: "24k" };
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts.slice(0, 5)) await pi.prompt(prompt);
	const large = (await readState(pi)).episodes.filter(({ level }) => level === 4);
	await pi.kill();
	const resumed = trial.rpc({ args: ["-c"], environment });
	for (const { name } of large.toSorted((a, b) => b.tokens - a.tokens).slice(0, 3)) {
		await resumed.command(`/cwl recall ${name}`);
		const { state, plan, footer } = await readScreens(resumed);
		expectOneTruth(await readScreens(resumed));
		await expectSameReasons(resumed, state);
		const notes = state.episodes.filter(({ isRecall }) => isRecall);
		expect(notes.length).toBeGreaterThan(0);
		const announced = state.nextPasses.find(({ at }) => at === "next message");
		expect(plan.startsWith("Next, at your next message: ")).toBe(announced !== undefined);
		expect(footer.includes(" · pass at your next message: ")).toBe(announced !== undefined);
		const before = state.passes.length;
		await resumed.prompt("thank you");
		const [made, ...more] = (await readState(resumed)).passes.slice(before);
		expect(more).toEqual([]);
		expect(made?.strips.map(({ episode }) => episode).toSorted()).toEqual(
			announced?.strips.map(({ episode }) => episode).toSorted(),
		);
		if (made && announced) expect(Math.abs(made.before - made.after - announced.freed)).toBeLessThan(60);
	}
});

/** Of each part that a pass will take, `/cwl why` says that it leaves and when, as sure of it as the plan is. */
async function expectSameReasons(pi: RpcSession, { nextPasses, pressure }: StateReport) {
	const show = (tokens: number) => showTokens(tokens, pressure.source === "reported");
	const named = new Set<string>();
	for (const next of nextPasses) {
		for (const { episode } of next.strips.filter(({ episode }) => !named.has(episode))) {
			named.add(episode);
			const leave = `${next.effect ? "" : "may "}leave ${momentText(next, show)}.`;
			expect(await pi.answer(`/cwl why ${episode}`)).toContain(` ${leave}`);
		}
	}
}

test("after a /compact, the announced size and passes are without the thinking that it makes invalid", async () => {
	const settings = { compaction: { keepRecentTokens: 8_000 } };
	const trial = await startWorkTrial(3, 5, { api: "anthropic", addsThinking: true, settings });
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment: { CWL_BUDGET: "30k" } });
	await pi.promptAll(trial.prompts.slice(0, 4));
	await pi.send({ type: "compact" });
	const announced = await readState(pi);
	const { sent } = await countRequest(trial, pi, trial.prompts[4] ?? "");
	const lost = (await readData(await pi.file(), PREFIX_ENTRY)).at(-1)?.change;
	expect(lost?.forfeited).toBeGreaterThan(400);
	// The message and a note of the state of git come with it, which are smaller than that thinking.
	const added = sent - announced.pressure.used;
	expect(added).toBeGreaterThan(0);
	expect(added).toBeLessThan(300);
});

test("a pass that is announced after /cwl on comes with the next message, although the switch makes thinking invalid", async () => {
	const trial = await startWorkTrial(3, 9, { api: "anthropic" });
	const environment = { CWL_BUDGET: "60k", CWL_ZONES: "spike=nothing" };
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	await pi.promptAll(trial.prompts.slice(0, 2));
	await pi.command("/cwl off");
	await pi.promptAll(trial.prompts.slice(2, 9));
	await pi.command("/cwl on");
	const { nextPasses, passes } = await readState(pi);
	expect([nextPasses[0]?.at, passes]).toEqual(["next message", []]);
	await pi.prompt("thank you");
	const [made, ...more] = (await readState(pi)).passes;
	expect([made?.policy, more]).toEqual(["cwl", []]);
	const freed = (made?.before ?? 0) - (made?.after ?? 0);
	expect(Math.abs(freed - (nextPasses[0]?.freed ?? 0))).toBeLessThan(0.01 * freed);
});
