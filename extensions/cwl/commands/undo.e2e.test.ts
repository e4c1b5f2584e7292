import { expect, test } from "vitest";
import { formatTokens } from "#basics";
import type { ModelRequest } from "#testing";
import type { RpcSession } from "../test-support/rpc-session.ts";
import { levelOf, readState, textOf } from "../test-support/state.ts";
import { startTrial, until } from "../test-support/trial.ts";
import { countRequest, tokensIn } from "../test-support/wire-figures.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

const environment = { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" };

/** Names of the episodes whose start a request shows. */
function startsIn(request: ModelRequest | undefined): readonly unknown[] {
	const calls = (request?.messages ?? []).flatMap((message) =>
		message.type === "assistant" ? message.calls : [],
	);
	return calls.filter(({ name }) => name === "delimiter").map((call) => call.arguments.name);
}

/** Footer, `/cwl` and `/cwl report --json` agree on the size of the next request at once; returns it. */
async function agreedSize(pi: RpcSession): Promise<number> {
	const shown = /([\d.]+k)\/60k/.exec(pi.status())?.[1];
	expect(await pi.answer("/cwl")).toMatch(new RegExp(`^~?${shown} of 60k tokens`, "m"));
	const { used } = (await readState(pi)).pressure;
	expect([formatTokens(used), pi.status()]).toEqual([shown, expect.stringContaining(`${shown}/60k`)]);
	return used;
}

test("/cwl undo brings back what the last pass took, for good, and the session goes on as if it had not been", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment });
	await pi.promptAll(trial.prompts.slice(0, 2));
	const name = (await readState(pi)).nextPasses[0]?.strips[0]?.episode ?? "";
	const before = await agreedSize(pi);
	await pi.command(`/cwl evict ${name}`);
	expect(await agreedSize(pi)).toBeLessThan(before);
	await pi.prompt(trial.prompts[2] ?? "");
	expect(startsIn(trial.requests.at(-1))).not.toContain(name);
	const evicted = await agreedSize(pi);
	// Footer, panel and undo name the same pass, with the same size.
	const [made] = (await readState(pi)).passes;
	const freed = formatTokens((made?.before ?? 0) - (made?.after ?? 0));
	expect(pi.status()).toContain(` · pass #${made?.number}: ${freed} less`);

	expect(await pi.answer("/cwl undo")).toMatch(
		/^cwl: pass 1 is taken back: the next request has [\d.]+k? tokens again of what the pass took, without its thinking, which later answers made invalid\.(?: [\d.]+k? tokens of thinking leave, since older text changes\.)? The next request writes at most all of its tokens \(~[\d.]+k, ~\$[\d.]+\), your message and the state of git to the provider's cache\. Later passes spare what came back(?: unless the budget cannot be met otherwise|; it may leave again within [\d.]+k tokens if nothing newer can leave)\.$/,
	);
	// The footer shows the last pass, and none holds; thinking that the undo made invalid is no pass.
	expect(pi.status()).not.toContain("pass #");
	expect(await levelOf(pi, name)).toBeLessThanOrEqual(1);
	expect(await agreedSize(pi)).toBeGreaterThan(evicted);
	expect(await pi.answer(`/cwl why ${name}`)).toMatch(/ since pass 1 was taken back \(\/cwl undo\)[;.]/);
	await pi.prompt(trial.prompts[3] ?? "");
	expect(startsIn(trial.requests.at(-1))).toContain(name);
	expect(await pi.answer("/cwl undo")).toBe("cwl: there is no pass to take back.");
	await pi.kill();

	const resumed = trial.resume({ environment });
	await until(() => /k\/60k/.test(resumed.status()));
	await agreedSize(resumed);
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(startsIn(trial.requests.at(-1))).toContain(name);
	expect((await readState(resumed)).passes).toEqual([]);
	expect(trial.breaks()).toHaveLength(2);
});

test("an undo before any other request brings thinking back, also that of a release, and the request begins as the last one did", async () => {
	const trial = await startTrial({ api: "anthropic", addsThinking: true });
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	const pasted = `Look at this log.\n${"a line of a log\n".repeat(400)}What is wrong?`;
	await pi.promptAll([pasted, "go on", "go on"]);
	const size = await agreedSize(pi);
	expect(await pi.answer("/cwl release")).toMatch(/ keeps its head and tail /);
	expect(await pi.answer("/cwl undo")).toMatch(
		/ has the \S+ tokens again that the pass took\. .*Later passes spare what came back, except for its thinking /,
	);
	expect(await agreedSize(pi)).toBe(size);
	const before = trial.breaks().length;
	await pi.prompt("thank you");
	expect(trial.breaks()).toHaveLength(before);
});

test("what was taken back counts at once, and /cwl why says it of each pass that was", async () => {
	const trial = await startWorkTrial(3, 3);
	const pi = trial.rpc({ environment });
	await pi.promptAll(trial.prompts);
	const [largest] = (await readState(pi)).episodes.toSorted((a, b) => b.tokens - a.tokens);
	await pi.command("/cwl health");
	for (const count of [1, 2]) {
		await pi.command(`/cwl evict ${largest?.name}`);
		expect(await pi.answer("/cwl undo")).toMatch(new RegExp(`^cwl: pass ${count} is taken back: `));
		const { health, passes } = await readState(pi);
		expect([health.costs?.setbacks.undone, health.costs?.setbacks.passes]).toEqual([count, count]);
		expect(passes).toEqual([]);
	}
	expect(await pi.answer("/cwl")).toMatch(/\n0 passes\nNo pass is in force\.$/);
	for (const number of [1, 2])
		expect(await pi.answer(`/cwl why ${number}`)).toBe(`cwl: pass ${number} was taken back (/cwl undo).`);
	expect(await pi.answer("/cwl why 3")).toBe(
		"cwl: no pass 3: the last one of this branch is pass 2, and it was taken back.",
	);
});

test.each([
	{ api: "anthropic", thinking: "off", budget: undefined },
	{ api: "anthropic", thinking: "medium", budget: undefined },
	{ api: "completions", thinking: "off", budget: undefined },
	{ api: "anthropic", thinking: "off", budget: "next pass" },
] as const)(
	"/cwl undo announces the size of the request that the wire then shows, and what it costs at most ($api, thinking $thinking, $budget)",
	async ({ api, thinking, budget }) => {
		const trial = await startWorkTrial(3, 5, { api });
		const environment = { CWL_BUDGET: "120k", CWL_POLICY: "paper-adapted" };
		const pi = trial.rpc({ args: ["--thinking", thinking], environment });
		await pi.promptAll(trial.prompts.slice(0, 3));
		const { episodes } = await readState(pi);
		const early = episodes.toSorted((a, b) => b.tokens - a.tokens)[0];
		await pi.command(`/cwl evict ${early?.name}`);
		await pi.prompt(trial.prompts[3] ?? "");
		const { used } = (await readState(pi)).pressure;
		if (budget) await pi.command(`/cwl settings budget ${used + 200}`);
		const announced = await pi.answer("/cwl undo");
		// The budget has no room for a large message.
		const comes = / and the next pass comes with it and takes likely [\d.]+k? tokens from \S+/;
		if (budget) expect(announced).toMatch(comes);
		else expect(announced).not.toMatch(comes);
		const [, again = ""] = /; it may leave again (.+)\.$/.exec(announced) ?? [];
		expect(await pi.answer("/cwl plan")).toContain(again);
		const said =
			/at most all of its tokens \(~([\d.]+k), ~\$([\d.]+)\), your message and the state of git to/;
		const [, , most = ""] = said.exec(announced) ?? [];
		// The message is new.
		const { sent, written } = await countRequest(trial, pi, "thank you");
		// A likely pass may not come with a large message: at most counts without it.
		const whole = sent + tokensIn(/ takes likely ([\d.]+k?) tokens/, announced);
		expect(Math.abs(whole - tokensIn(said, announced))).toBeLessThan(60 + 0.02 * whole);
		// Dollars for a million tokens that are written.
		const price = { anthropic: 3.75, completions: 1.25 }[api];
		expect(Math.abs(Number(most) - (price * whole) / 1_000_000)).toBeLessThan(0.04 * Number(most));
		expect(written).toBeLessThanOrEqual(sent);
	},
);

test("after an undo that makes thinking invalid, undo says how large the next request is, as the wire then shows, and plan which pass it brings", async () => {
	const trial = await startWorkTrial(3, 4, { api: "anthropic" });
	const environment = { CWL_BUDGET: "24k", CWL_ZONES: "spike=nothing" };
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	await pi.promptAll(trial.prompts.slice(0, 3));
	// Sealed thinking has a factor of its own: every screen has the size that the log keeps.
	const evicted = await pi.answer("/cwl evict");
	const [, taken] = / next request on, (\S+) tokens of /.exec(evicted) ?? [];
	const [, most] = /all of its tokens \(~(\S+), /.exec(evicted) ?? [];
	expect(evicted).toContain(` ${most} tokens stay: `);
	expect(pi.status()).toContain(` · pass #1: ${taken} less`);
	await pi.prompt(trial.prompts[3] ?? "");
	const before = (await readState(pi)).pressure.used;
	const undone = await pi.answer("/cwl undo");
	const back = tokensIn(
		/ has ([\d.]+k) tokens again of what the pass took, without its thinking, which later answers made invalid/,
		undone,
	);
	const lost = tokensIn(/ ([\d.]+k?) tokens of thinking leave, since older text changes\./, undone);
	expect(lost).toBeGreaterThan(0);
	const { used } = (await readState(pi)).pressure;
	// From 10k on, sizes are rounded to thousands.
	expect(Math.abs(used - before - back + lost)).toBeLessThan(550);
	const plan = await pi.answer("/cwl plan");
	const [, again = "no moment"] = /; it may leave again (.+)\.$/.exec(undone) ?? [];
	expect(plan).toContain(again);
	const { nextPasses, passes, episodes } = await readState(pi);
	const whys: string[] = [];
	for (const { name } of episodes) whys.push(await pi.answer(`/cwl why ${name}`));
	expect(whys.join()).toMatch(/, of work that was asked for again/);
	const bare = episodes.find(({ level }) => level === 1);
	const ofBare = await pi.answer(`/cwl why ${bare?.name}`);
	const [, gone] =
		/ tokens are here; a change of older text took (\d+) tokens of its reasoning\. The rest stays since /.exec(
			ofBare,
		) ?? [];
	expect(Math.abs(Number(gone) - (bare?.evictedTokens ?? 0)), ofBare).toBeLessThanOrEqual(1);
	const { sent } = await countRequest(trial, pi, "thank you");
	const [next] = nextPasses;
	expect(next?.at).toBe("next message");
	const whole = sent + tokensIn(/ takes likely ([\d.]+k?) tokens/, undone);
	expect(whole).toBeGreaterThan(sent);
	expect(Math.abs(whole - tokensIn(/at most all of its tokens \(~([\d.]+k)/, undone))).toBeLessThan(
		60 + 0.02 * whole,
	);
	// A message as large as the prompts would change it.
	expect(plan).toContain(
		`Next, at your next message: likely ${formatTokens(next?.freed ?? 0)} tokens leave.`,
	);
	const made = (await readState(pi)).passes.map(({ policy }) => policy);
	expect([passes, made]).toEqual([[], ["cwl"]]);
});

test("what was brought back is spared by the next pass, unless the budget forces it, and then that is said", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const name = (await readState(pi)).nextPasses[0]?.strips[0]?.episode ?? "";
	await pi.command(`/cwl evict ${name}`);
	await pi.command("/cwl undo");
	const { ledger } = await readState(pi);
	await pi.command(`/cwl settings budget ${ledger.total - 1_000}`);
	await pi.prompt(trial.prompts[3] ?? "");
	const first = (await readState(pi)).passes[0];
	expect(first?.strips.map(({ episode }) => episode)).not.toContain(name);

	await pi.command(`/cwl settings budget ${Math.round((first?.after ?? 0) + 1_000)}`);
	expect(await pi.answer("/cwl undo")).toMatch(
		/ again of what the pass took, without its thinking, which later answers made invalid, and the next pass comes with it and takes [\d.]+k? tokens from \S+.*\. The next request writes at most /,
	);
	expect(await pi.answer("/cwl plan")).toMatch(
		/, within [\d.]+k? tokens if nothing newer can leave: likely [\d.]+k tokens leave\.$/m,
	);
	await pi.command("/cwl settings budget 4k");
	await pi.prompt(trial.prompts[4] ?? "");
	expect(textOf(pi.notices())).toMatch(
		/cwl: the budget is too small for what \/cwl undo brought back: text of it is evicted again\./,
	);
	expect(await pi.answer("/cwl undo")).toMatch(
		/^cwl: the budget has no room for what pass \d+ took, which would leave again with the next request: \/cwl settings budget raises it\.$/,
	);
	const taken = (await readState(pi)).passes.at(-1)?.strips ?? [];
	await pi.command("/cwl settings budget 60k");
	expect(await pi.answer("/cwl undo")).toMatch(/^cwl: pass \d+ is taken back: the next request has /);
	await pi.command("/cwl settings budget 4k");
	const reasons: string[] = [];
	for (const { episode } of taken) reasons.push(await pi.answer(`/cwl why ${episode}`));
	expect(reasons.join("\n")).toMatch(
		/ was taken back \(\/cwl undo\), but the budget has no room for all that it took; /,
	);
});
