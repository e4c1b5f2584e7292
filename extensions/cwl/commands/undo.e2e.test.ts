import { expect, test } from "vitest";
import { PREFIX_CHANGED } from "#core/thinking";
import type { ModelRequest } from "#loopback";
import { levelOf, readState, textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

/** Names of the episodes whose start a request shows. */
function startsIn(request: ModelRequest | undefined): readonly unknown[] {
	const calls = (request?.messages ?? []).flatMap((message) =>
		message.type === "assistant" ? message.calls : [],
	);
	return calls.filter(({ name }) => name === "delimiter").map((call) => call.arguments.name);
}

test("/cwl undo brings back what the last pass took, for good, and the session goes on as if it had not been", async () => {
	const trial = await startWorkTrial(3, 5);
	const environment = { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" };
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts.slice(0, 2)) await pi.prompt(prompt);
	const name = (await readState(pi)).nextPass.strips[0]?.episode ?? "";
	await pi.command(`/cwl evict ${name}`);
	await pi.prompt(trial.prompts[2] ?? "");
	expect(startsIn(trial.requests.at(-1))).not.toContain(name);

	expect(textOf(await pi.command("/cwl undo"))).toMatch(
		/^cwl: pass 1 is taken back: [\d.]+k? tokens are in the next request again, and other things leave first\.$/,
	);
	expect(await levelOf(pi, name)).toBeLessThanOrEqual(1);
	await pi.prompt(trial.prompts[3] ?? "");
	expect(startsIn(trial.requests.at(-1))).toContain(name);
	expect(textOf(await pi.command("/cwl undo"))).toBe("cwl: there is no pass to take back.");
	await pi.kill();

	const resumed = trial.rpc({ args: ["-c"], environment });
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(startsIn(trial.requests.at(-1))).toContain(name);
	// What is left of it in the log is the thinking that came back behind another prefix.
	expect((await readState(resumed)).passes.map(({ policy }) => policy)).toEqual([PREFIX_CHANGED]);
	const records = trial.loopback.records();
	expect(records.filter(({ refused }) => refused)).toEqual([]);
	expect(records.filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(2);
});

test("what was brought back is spared by the next pass, unless the budget forces it, and then that is said", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" } });
	for (const prompt of trial.prompts.slice(0, 3)) await pi.prompt(prompt);
	const name = (await readState(pi)).nextPass.strips[0]?.episode ?? "";
	await pi.command(`/cwl evict ${name}`);
	await pi.command("/cwl undo");
	const { ledger } = await readState(pi);
	await pi.command(`/cwl budget ${ledger.total - 1_000}`);
	await pi.prompt(trial.prompts[3] ?? "");
	const first = (await readState(pi)).passes[0];
	expect(first?.strips.map(({ episode }) => episode)).not.toContain(name);

	await pi.command("/cwl undo");
	await pi.command("/cwl budget 4k");
	await pi.prompt(trial.prompts[4] ?? "");
	expect(textOf(pi.notices())).toMatch(
		/cwl: the budget is too small for what \/cwl undo brought back; some of it is evicted again\./,
	);
});

test("/cwl undo without a pass says so", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const pi = trial.rpc();
	expect(await pi.command("/cwl undo")).toEqual([
		{ kind: "error", text: "cwl: there is no pass to take back." },
	]);
});
