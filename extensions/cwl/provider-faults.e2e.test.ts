import { expect, test } from "vitest";
import { fieldsOf } from "#basics";
import type { Fault } from "#testing/server";
import { expectOneReport } from "./test-support/reports.ts";
import type { RpcSession } from "./test-support/rpc-session.ts";
import { readSessionEntries } from "./test-support/session-entries.ts";
import { readState } from "./test-support/state.ts";
import { until } from "./test-support/trial.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

const environment = { CWL_BUDGET: "24k", CWL_POLICY: "cwl" };
/** pi tries again by itself; without its pauses. */
const settings = { retry: { enabled: true, maxRetries: 3, baseDelayMs: 10 } };
const FAULTY = 7;
const refusals: ReadonlyMap<number, Fault> = new Map([
	[FAULTY, { type: "status", status: 429 }],
	[11, { type: "status", status: 500 }],
	[15, { type: "status", status: 529 }],
	[19, { type: "reset" }],
]);

const isIdle = async (pi: RpcSession) =>
	fieldsOf((await pi.send({ type: "get_state" })).data).isStreaming === false;

test("after a refusal or a reset the same request goes out again, and nothing is lost or counted twice", async () => {
	const trial = await startWorkTrial(1, 5, {
		api: "anthropic",
		addsThinking: true,
		settings,
		fault: (index) => refusals.get(index),
	});
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	for (const prompt of trial.prompts) {
		await pi.prompt(prompt);
		// A run that ends in an error is followed by another.
		await until(async () => !refusals.has(trial.loopback.records().at(-1)?.index ?? 0) && (await isIdle(pi)));
	}
	const records = trial.loopback.records();
	expect(records.length).toBeGreaterThan(20);
	// What continued a message thread comes again as a whole, with marks of what to cache that the thread held.
	const bodies = trial.bodies().map((body) => body.replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
	for (const index of refusals.keys()) expect(bodies[index + 1]).toBe(bodies[index]);
	expect(records.filter(({ promptTokens }) => promptTokens > 24_000)).toEqual([]);
	expect(pi.said("error")).toEqual([]);
	const session = await readSessionEntries(await pi.file());
	expect(session.branch).toEqual(session.entries);
	const answered = records.filter(({ index }) => !refusals.has(index));
	const { traffic } = await readState(pi);
	const input = Object.values(traffic).reduce((sum, tokens) => sum + tokens, 0);
	expect(input).toBe(answered.reduce((sum, { promptTokens }) => sum + promptTokens, 0));
	// pi 1.5 and later edit the answer that failed out of the history: what was learned before holds.
	await expectOneReport(trial, pi);
});

test("a request that fails does not count in how much a request adds", async () => {
	let isRefusing = false;
	const trial = await startWorkTrial(1, 3, {
		settings: { retry: { enabled: false } },
		fault: () => (isRefusing ? { type: "status", status: 500 } : undefined),
	});
	const pi = trial.rpc({ environment });
	await pi.promptAll(trial.prompts);
	const before = (await readState(pi)).pressure.velocity;
	expect(before).toBeGreaterThan(500);
	isRefusing = true;
	await pi.promptAll(["thank you", "thank you", "thank you"]);
	const after = (await readState(pi)).pressure.velocity;
	expect(Math.abs(after - before)).toBeLessThan(30);
});

test.each([0.65, 0.01, 100])(
	"usage that is %f of the truth neither breaks the budget nor starts work",
	async (factor) => {
		const trial = await startWorkTrial(1, 6, {
			api: "responses",
			fault: () => ({ type: "usage-scaled", factor }),
		});
		const pi = trial.rpc({ environment });
		await pi.promptAll(trial.prompts);
		const records = trial.loopback.records();
		// Figures that no tokenizer can have are not believed.
		const believed = factor === 0.65 ? factor : 1;
		expect(Math.max(...records.map(({ promptTokens }) => promptTokens * believed))).toBeLessThanOrEqual(
			24_000,
		);
		expect(pi.events.filter(({ type }) => type === "agent_end")).toHaveLength(trial.prompts.length);
		expect(pi.said("error")).toEqual([]);
	},
);

test("an answer that stalls can be stopped, and the work goes on from there", async () => {
	const trial = await startWorkTrial(1, 3, {
		api: "anthropic",
		fault: (index) => (index === FAULTY ? { type: "stall" } : undefined),
	});
	const pi = trial.rpc({ environment });
	let isStopped = false;
	const isStalled = () => !isStopped && trial.requests.length === FAULTY + 1;
	for (const prompt of trial.prompts) {
		let isDone = false;
		void pi.prompt(prompt).then(() => {
			isDone = true;
		});
		await until(() => isDone || isStalled());
		if (!isStalled()) continue;
		await pi.send({ type: "abort" });
		await until(() => isIdle(pi));
		isStopped = true;
		await pi.prompt(prompt);
	}
	expect(isStopped).toBe(true);
	const records = trial.loopback.records();
	expect(records.length).toBeGreaterThan(FAULTY + 2);
	expect(pi.said("error")).toEqual([]);
});
