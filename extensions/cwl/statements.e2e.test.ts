/** The statements of all screens against each other, the session file and the figures of the model server. */

import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { formatTokens } from "#basics";
import type { StateReport } from "#pi/health";
import { PREFIX_ENTRY } from "#pi/session";
import {
	expectOneReport,
	isSameFigure,
	pastOf,
	rewrittenOf,
	sizesOf,
	sumsOf,
} from "./test-support/reports.ts";
import { expectOneTruth, readScreens, type Screens } from "./test-support/screens.ts";
import { readData } from "./test-support/session-entries.ts";
import { readState, textOf } from "./test-support/state.ts";
import { until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

/** The provider counts a third more than we do. */
const FACTOR = 1.3;

test("panel, plan, footer, health, report and the wire name the same tokens in a session with passes, a resume and a /compact", async () => {
	const trial = await startWorkTrial(3, 7, { fault: () => ({ type: "usage-scaled", factor: FACTOR }) });
	const environment = { CWL_BUDGET: "30k", CWL_LOW_WATER: "0.7" };
	/** The input of the last request as the provider reported it. */
	const wire = () => FACTOR * (trial.loopback.records().at(-1)?.promptTokens ?? 0);
	const isNear = (tokens: number, expected: number) => Math.abs(tokens - expected) < 0.02 * expected + 150;
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts.slice(0, 5)) await pi.prompt(prompt);
	const before = await readScreens(pi);
	expect(before.state.passes.length).toBeGreaterThan(0);
	expectOneTruth(before);
	await pi.kill();

	const resumed = trial.rpc({ args: ["-c"], environment });
	const fresh = await readState(resumed);
	expect(sizesOf(fresh)).toEqual(sizesOf(before.state));
	expect(fresh.pressure.source).toBe("reported");
	const change = (size: (state: StateReport) => number) => size(fresh) / size(before.state);
	for (const ratio of [
		change((at) => at.pressure.used),
		change((at) => at.ledger.system + at.ledger.tools),
	]) {
		expect(ratio).toBeGreaterThan(0.98);
		expect(ratio).toBeLessThan(1.02);
	}
	await resumed.prompt("thank you");
	const after = await readScreens(resumed);
	expectOneTruth(after);
	expect(sizesOf(after.state).slice(0, sizesOf(fresh).length)).toEqual(sizesOf(fresh));
	expect(isNear(after.state.pressure.used, wire())).toBe(true);
	const report = JSON.parse((await trial.run(["report", await resumed.file(), "--json"])).stdout);
	expect(sizesOf(report)).toEqual(sizesOf(after.state));

	await resumed.send({ type: "compact" });
	expect(await readFile(await resumed.file(), "utf8")).toContain('"type":"compaction"');
	await resumed.prompt(trial.prompts[5] ?? "");
	const compacted = await readScreens(resumed);
	expectOneTruth(compacted);
	await resumed.prompt("thank you");
	const thanked = await readScreens(resumed);
	expectOneTruth(thanked);
	expect(isNear(thanked.state.pressure.used, wire())).toBe(true);

	await resumed.command("/cwl off");
	expectOneTruth(await readScreens(resumed));
	await resumed.prompt("thank you");
	const off = await readScreens(resumed);
	expectOneTruth(off);
	expect(isNear(off.state.pressure.used, wire())).toBe(true);
	expect(off.state.pressure.used).toBeGreaterThan(thanked.state.pressure.used);
	await resumed.kill();
	const again = trial.rpc({ args: ["-c"], environment });
	const offAgain = await readScreens(again);
	expectOneTruth(offAgain);
	expect(isNear(offAgain.state.pressure.used, wire())).toBe(true);
	await again.command("/cwl on");
	expectOneTruth(await readScreens(again));
	await again.prompt("thank you");
	const on = await readScreens(again);
	expectOneTruth(on);
	expect(isNear(on.state.pressure.used, wire())).toBe(true);
	// The factor of the calibration moves a little with each report.
	expect(Math.abs(on.state.ledger.system - thanked.state.ledger.system)).toBeLessThan(8);
	// Panel and report give the same tokens that passes had written to the cache again.
	const written = JSON.parse((await trial.run(["report", await again.file(), "--json"])).stdout);
	expect(written.passes.map(rewrittenOf)).toEqual(on.state.passes.map(rewrittenOf));
	for (const [{ state }, request] of [
		[off, written.requests.at(-2)],
		[on, written.requests.at(-1)],
	] as const) {
		for (const name of ["system", "tools"] as const)
			expect(isSameFigure("tokens", state.ledger[name], request.ledger[name]), name).toBe(true);
	}
	// The switches and the compaction made thinking invalid, which is no pass on any screen.
	const lost = (await readData(await again.file(), PREFIX_ENTRY)).filter(({ change }) => change);
	expect(lost.length).toBeGreaterThan(0);
	expect(on.state.passes).toEqual(thanked.state.passes);
	const costOf = ({ state }: Screens) => state.health.costs?.cwl.cost ?? 0;
	expect(costOf(off)).toBeGreaterThan(costOf(thanked));
	expect(costOf(on)).toBeGreaterThan(costOf(off));
});

test("the first answer of a session says already what its request weighs", async () => {
	const trial = await startWorkTrial(1, 1, { fault: () => ({ type: "usage-scaled", factor: FACTOR }) });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "30k" } });
	await pi.prompt("thank you");
	const screens = await readScreens(pi);
	expectOneTruth(screens);
	const [{ promptTokens = 0 } = {}] = trial.loopback.records();
	const { source, used } = screens.state.pressure;
	expect(source).toBe("reported");
	expect(used).toBeGreaterThanOrEqual(FACTOR * promptTokens);
	expect(used).toBeLessThan(FACTOR * promptTokens + 100);
});

test("what passes did covers the whole session on every screen: after a resume, a /compact and while cwl is off, however the calibration moves", async () => {
	/** The provider's own count per token of ours grows. */
	const fault = (index: number) => ({ type: "usage-scaled" as const, factor: 1.2 + 0.002 * index });
	const trial = await startWorkTrial(5, 8, { fault });
	const environment = { CWL_BUDGET: "16k", CWL_LOW_WATER: "0.4" };
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts.slice(0, 6)) await pi.prompt(prompt);
	const { state: before } = await expectOneReport(trial, pi);
	expect(before.health.regret.calls.length).toBeGreaterThan(0);
	expect(before.health.regret.kept).toBeGreaterThan(0);
	await pi.kill();
	const resumed = trial.rpc({ args: ["-c"], environment });
	const fresh = await readState(resumed);
	expect([pastOf(fresh), sumsOf(fresh)]).toEqual([pastOf(before), sumsOf(before)]);

	await resumed.send({ type: "compact" });
	const { state: compacted } = await expectOneReport(trial, resumed);
	expect(compacted.health.trend).toBeNull();
	// What was kept had been sent before: no request has been made since, so that nothing grows.
	expect(compacted.health.burn).toEqual({ recent: null, before: null, isSpike: false });
	expect(resumed.status()).not.toContain("more a request");
	expect(compacted.health.utilisation).toBeLessThan(before.health.utilisation);
	const { again, tokens, share } = sumsOf(compacted);
	expect({ ...sumsOf(before), ...pastOf(before) }).toMatchObject({ ...pastOf(compacted), again, tokens });
	// Thinking that the compaction made invalid has left with it.
	expect(share).toBeGreaterThan(sumsOf(before).share);
	expect(compacted.health.thinking.forfeited).toBeGreaterThan(before.health.thinking.forfeited);
	await resumed.prompt(trial.prompts[6] ?? "");
	const later = await readScreens(resumed);
	const { regret } = later.state.health;
	expect(regret.calls.length).toBeGreaterThanOrEqual(before.health.regret.calls.length);
	expect(regret.kept).toBeGreaterThanOrEqual(before.health.regret.kept);
	const calls = `of ${formatTokens(regret.again)} that ${regret.calls.length} calls? read again,`;
	const kept = `passes kept ${formatTokens(regret.kept)} out of later requests`;
	expect(later.health.replace(/\n */g, " ")).toMatch(new RegExp(`${calls} which cost \\S+; ${kept}`));
	const numbers = later.state.passes.map(({ number }) => number);
	for (const { pass } of [...regret.calls, ...regret.passes]) expect(numbers).toContain(pass);

	await expectOneReport(trial, resumed);
	await resumed.command("/cwl off");
	await resumed.prompt(trial.prompts[7] ?? "");
	const { state: off, report } = await expectOneReport(trial, resumed);
	// Only thinking that the switch made invalid stays away, and no request was made smaller.
	const { kept: keptOut, looks } = pastOf(off);
	expect({ keptOut, looks }).toEqual({ keptOut: regret.kept, looks: pastOf(later.state).looks });
	expect(off.health.evicted.share).toBeLessThan(0.1 * later.state.health.evicted.share);
	expect(report.passes.map(rewrittenOf)).toEqual(off.passes.map(rewrittenOf));
	expect(pastOf(report)).toEqual(pastOf(off));
	const sums: Readonly<Record<string, number>> = sumsOf(report);
	for (const [name, value] of Object.entries(sumsOf(off))) {
		expect(Math.abs((sums[name] ?? 0) - value), name).toBeLessThan(0.005 * value + 0.001);
	}
	// What a pass took is never more than what was there.
	for (const { ledger } of report.requests)
		expect(Math.min(...Object.values<number>(ledger))).toBeGreaterThanOrEqual(0);
	const requests = report.requests.length;
	const made = report.passes.map(({ request }: { readonly request: number }) => request);
	expect(Math.min(...made)).toBeGreaterThan(0);
	expect(report.compactions).toMatchObject([{ request: expect.any(Number) }]);
	expect(report.compactions[0].request).toBeLessThanOrEqual(requests);
	expect(report.requests[report.compactions[0].request - 1].ledger.total).toBe(report.compactions[0].after);
	// The next request is not sent yet, but the switch is in force.
	await resumed.command("/cwl on");
	const { state: on } = await expectOneReport(trial, resumed);
	expect(on.health.evicted.share).toBeGreaterThan(0.5 * later.state.health.evicted.share);
});

test("/cwl, why and settings say what the session file, the server and /cwl report --json hold", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k", CWL_LOW_WATER: "0.7" } });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const said = async (command: string) => textOf(await pi.command(command)).replace(/^cwl: /, "");
	const state = await readState(pi);
	const passes: readonly LoggedPass[] = await readData(await pi.file(), "cwl.pass");
	expect(passes.length).toBeGreaterThan(0);

	const status = await said("/cwl");
	const input = trial.loopback.records().reduce((sum, { promptTokens }) => sum + promptTokens, 0);
	expect(Object.values(state.traffic).reduce((sum, tokens) => sum + tokens, 0)).toBe(input);
	const counted = passes.length === 1 ? "1 pass" : `${passes.length} passes`;
	expect(status).toContain(`\n${counted}\n`);
	const answers = state.episodes.filter(({ isAnswer }) => isAnswer);
	const left = answers.reduce((sum, { tokens, evictedTokens }) => sum + tokens - evictedTokens, 0);
	expect(status).toContain(`other text ${formatTokens(left)}`);
	const marked = state.episodes.filter(({ isAnswer }) => !isAnswer).slice(-12);
	for (const { name, kind, tokens, evictedTokens, level } of marked) {
		const row = status.split("\n").find((line) => line.includes(` ${kind.padEnd(4)} ${name} `)) ?? "";
		const sizes = [tokens - evictedTokens, ...(evictedTokens > 0 ? [tokens] : [])];
		expect(row.split(/ +/)).toEqual(expect.arrayContaining(sizes.map(formatTokens)));
		expect(row).toContain(level === 4 ? " evicted " : "");
	}

	// The bar of a pass begins with what the provider read from its cache.
	const read = trial.loopback.records().map(({ cachedTokens }) => cachedTokens);
	const bars = state.passes.flatMap(({ cached }) => cached ?? []);
	expect(bars.length).toBeGreaterThan(0);
	for (const cached of bars) expect(read).toContain(cached);

	const evicted = state.episodes.find(({ level }) => level > 0);
	const why = await said(`/cwl why ${evicted?.name}`);
	const by = state.passes.find(({ strips }) =>
		strips.some(({ episode, tokens }) => episode === evicted?.name && tokens > 0),
	);
	expect(why).toContain(`pass ${by?.number} (cwl) freed `);
	// What is partly here was not evicted, on no screen.
	for (const { name, level, evictedTokens, tokens } of state.episodes.filter(({ level }) => level > 0)) {
		const said = await pi.answer(`/cwl why ${name}`);
		expect([said.includes(" was evicted: "), level === 4], name).toEqual(
			Array(2).fill(evictedTokens >= tokens),
		);
	}
	// A number is that of the panel's list.
	const freed = formatTokens((by?.before ?? 0) - (by?.after ?? 0));
	for (const number of [`${by?.number}`, `#${by?.number}`]) {
		expect(await said(`/cwl why ${number}`)).toMatch(
			new RegExp(`^pass ${by?.number} \\(cwl\\) freed ${freed} tokens of .*\\S, as \\S.*\\.$`),
		);
	}
	// Finished work leaves at the mark of the next, or at the beginning of a turn: which of them is said.
	const seams = passes.flatMap(({ decision, newest }, at) =>
		decision?.reason === "next work begins" ? [{ number: at + 1, newest }] : [],
	);
	expect(seams.length).toBeGreaterThan(0);
	for (const { number, newest = "" } of seams) {
		const cause = newest.startsWith("toolResult-") ? "the model marked its next expl" : "your turn began";
		expect(await said(`/cwl why ${number}`)).toContain(`, as the work was finished and ${cause}.`);
	}
	expect(await said("/cwl why 999")).toMatch(/^no pass 999: the last one of this branch is pass \d+\.$/);
	expect(await said(`/cwl why ${evicted?.name} --json`)).toMatch(
		/^\/cwl why REF\|PASS takes no --json, and got .* \/cwl report --json has the figures of all screens\.$/,
	);

	const settings = await said("/cwl settings");
	for (const [key, value] of Object.entries(state.settings)) {
		expect(settings).toContain(`\n  ${key}: ${value} (${state.origins[key] ?? "default"})`);
	}
	expect(settings).toContain("lowWater: 0.7 (environment CWL_LOW_WATER)");
	// The agent runs on the Node of its lane.
	expect(settings).toMatch(/^ {2}Node \d+\.\d+\.\d+, model /m);
	const { system, tools } = state.ledger;
	expect(settings).toContain(
		`system ${formatTokens(system)} (the system prompt and its updates), tools ${formatTokens(tools)} tokens`,
	);

	await pi.command("/cwl off");
	expect(await said("/cwl plan")).toMatch(
		/^Next: the request sends all ~\d+k tokens; no pass is made until \/cwl on\.$/,
	);
});

test("a request that a person stopped is the one of its pass, in pi and in the shell", async () => {
	let isStalled = false;
	const fault = () => (isStalled ? { type: "stall" as const } : undefined);
	const trial = await startWorkTrial(3, 3, { api: "anthropic", fault });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	await pi.promptAll(trial.prompts);
	await pi.command("/cwl evict");
	isStalled = true;
	const request = trial.requests.length;
	const stopped = pi.prompt("thank you");
	await until(() => trial.requests.length > request);
	// What the provider counted comes with the beginning of its answer.
	await setTimeout(300);
	await Promise.all([pi.send({ type: "abort" }), stopped]);
	isStalled = false;
	const { promptTokens = 0, cachedTokens = 0 } = trial.loopback.records()[request] ?? {};
	for (const prompt of ["", "go on"]) {
		if (prompt) await pi.prompt(prompt);
		const { state } = await expectOneReport(trial, pi);
		const { cached, rewritten } = state.passes.at(-1) ?? {};
		expect(cached).toBe(cachedTokens);
		expect(rewritten).toBeGreaterThan(0.8 * (promptTokens - cachedTokens));
	}
});

interface LoggedPass {
	readonly newest?: string;
	readonly decision?: { readonly reason: string };
	readonly strips: readonly { readonly items: readonly string[] }[];
}
