import { expect, test } from "vitest";
import { lowWaters } from "#core/planning";
import { readState, textOf } from "../test-support/state.ts";
import { startTrial, until } from "../test-support/trial.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

const environment = { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" };

test("/cwl plan changes nothing, /cwl evict makes a pass that holds after a resume, /cwl why tells which", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment });
	for (const prompt of trial.prompts.slice(0, 3)) await pi.prompt(prompt);
	const state = await readState(pi);
	expect(state).toMatchObject({
		version: 1,
		settings: { budget: "60k" },
		passes: [],
		nextPass: { dueIn: expect.any(Number) },
	});
	expect(state.nextPass.dueIn).toBeGreaterThan(0);
	expect(state.episodes.map(({ level }) => level)).not.toContain(4);

	const plan = textOf(await pi.command("/cwl plan"));
	expect(plan).toMatch(
		/^cwl: the next pass is due in [\d.]+k tokens and would take [\d.]+k tokens of \d+ episodes?(, [\d.]+k? of them thinking that was bound to the rest)?; /,
	);
	expect(plan).toMatch(/\$[\d.]+ once, against \$[\d.]+ less a request: paid back after \d+ requests?\.$/m);
	const planned = state.nextPass.strips[0]?.episode ?? "";
	expect(plan).toContain(planned);
	expect((await readState(pi)).passes).toEqual([]);

	expect(textOf(await pi.command(`/cwl why ${planned}`))).toMatch(
		/tokens are here, whole, since no pass was due; the next one/,
	);
	const evicted = textOf(await pi.command(`/cwl evict ${planned}`));
	expect(evicted).toMatch(
		/^cwl: evicted from the next request on: [\d.]+k? tokens of \d+ episodes?[,;] .*\.$/,
	);
	await pi.prompt(trial.prompts[3] ?? "");
	const records = trial.loopback.records();
	expect(records.filter(({ refused }) => refused)).toEqual([]);
	expect(records.filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(1);
	const because = /was evicted: pass 1 \(by hand\) took all of it, [\d.]+k? tokens, as you asked for it/;
	expect(textOf(await pi.command(`/cwl why ${planned}`))).toMatch(because);
	await pi.kill();

	const resumed = trial.rpc({ args: ["-c"], environment });
	expect(textOf(await resumed.command(`/cwl why ${planned}`))).toMatch(because);
	expect(textOf(await resumed.command(`/cwl evict ${planned}`))).toMatch(
		/may leave: it is evicted already\.$/,
	);
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(trial.loopback.records().filter(({ extendsPrevious }) => !extendsPrevious)).toHaveLength(1);
});

test("/cwl evict without a name goes down to low water, and then there is nothing to do", async () => {
	const trial = await startWorkTrial(3, 4);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k" } });
	for (const prompt of trial.prompts.slice(0, 3)) await pi.prompt(prompt);
	const before = await readState(pi);
	const notices = await pi.command("/cwl evict");
	const after = await readState(pi);
	expect(textOf(notices)).toMatch(/^cwl: evicted from the next request on: /);
	expect(after.passes.length).toBe(before.passes.length + 1);
	expect(after.ledger.total).toBe(after.passes.at(-1)?.after);
	expect(after.ledger.total).toBeLessThanOrEqual(lowWaters.balanced * after.budget);
	expect(textOf(await pi.command("/cwl evict"))).toMatch(
		/^cwl: nothing to do: [\d.]+k tokens are below low water/,
	);
	await pi.prompt(trial.prompts[3] ?? "");
	expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
});

test("a name that is unknown is answered with the closest, and quoted", async () => {
	const trial = await startTrial({
		model: () => ({
			calls: [
				{ name: "delimiter", arguments: { action: "start", name: "\u001b[2Jlook\nnow", type: "expl" } },
			],
		}),
		fault: (index) => (index > 1 ? { type: "stall" } : undefined),
	});
	const pi = trial.rpc();
	expect(textOf(await pi.command("/cwl why"))).toBe("cwl: no episode was named: use /cwl why REF.");
	expect(textOf(await pi.command("/cwl why x"))).toBe("cwl: no episode x: there is no episode yet");
	await pi.send({ type: "prompt", message: "go" });
	await until(() => trial.requests.length >= 2);
	const [notice] = await pi.command("/cwl why a\u001b[31m");
	expect(notice).toEqual({
		kind: "error",
		// The name that the model asked for was refused, so that its work has one of ours.
		text: expect.stringMatching(/^cwl: no episode "a\\u001b\[31m": did you mean unmarked-\d+\?$/),
	});
	expect(textOf(await pi.command("/cwl evict now"))).not.toContain("\u001b");
});

test("/cwl settings and /cwl doctor show the settings in force and the problems found, and evict refuses while off", async () => {
	const trial = await startTrial({ model: () => ({ text: "ok" }) });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "2k" } });
	expect(textOf(await pi.command("/cwl settings"))).toMatch(
		/^cwl: settings in force:\n {2}enabled: true \(default\)\n {2}budget: 2k \(environment CWL_BUDGET\)/,
	);
	expect(textOf(await pi.command("/cwl doctor"))).toMatch(/^cwl: doctor: no problems found\n/);
	await pi.prompt("word ".repeat(4_000));
	expect(textOf(await pi.command("/cwl doctor"))).toMatch(
		/problem: what can never leave .* comes to [\d.]+k of [\d.]+k tokens: raise the budget/,
	);
	await pi.command("/cwl off");
	expect(textOf(await pi.command("/cwl doctor"))).toContain("problem: cwl is off: /cwl on");
	expect(textOf(await pi.command("/cwl evict"))).toBe(
		"cwl: cwl is off and every request sends the whole history: /cwl on first.",
	);
});
