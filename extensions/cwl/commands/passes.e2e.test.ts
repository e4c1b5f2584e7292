import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { formatTokens } from "#basics";
import { PREFIX_CHANGED } from "#core/planning";
import type { ModelRequest } from "#testing";
import { end, following, read, start } from "../test-support/following.ts";
import type { RpcSession } from "../test-support/rpc-session.ts";
import { levelOf, readState, textOf } from "../test-support/state.ts";
import { startTrial, until } from "../test-support/trial.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

const environment = { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" };

test("/cwl plan changes nothing, /cwl evict makes a pass that holds after a resume, /cwl why tells which", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const state = await readState(pi);
	expect(state).toMatchObject({
		version: 1,
		settings: { budget: "60k" },
		passes: [],
		nextPasses: expect.arrayContaining([expect.objectContaining({ at: "full" })]),
	});
	expect(state.episodes.map(({ level }) => level)).not.toContain(4);

	const plan = await pi.answer("/cwl plan");
	const when = String.raw`(when the model marks its next expl|within [\d.]+k tokens)`;
	expect(plan).toMatch(new RegExp(String.raw`^cwl: Next, ${when}: likely about [\d.]+k leave\.$`, "m"));
	const planned = state.nextPasses[0]?.strips[0]?.episode ?? "";
	expect(plan).toContain(planned);
	expect((await readState(pi)).passes).toEqual([]);

	expect(await pi.answer(`/cwl why ${planned}`)).toMatch(
		new RegExp(`tokens are here, whole, since no pass was due; .+ may leave ${when}\\.`),
	);
	const evicted = await pi.answer(`/cwl evict ${planned}`);
	expect(evicted).toMatch(/^cwl: from the next request on, [\d.]+k? of \d+ (outputs?|episodes?) leave.*\.$/);
	await pi.prompt(trial.prompts[3] ?? "");
	expect(trial.breaks()).toHaveLength(1);
	const because = /was evicted: pass 1 \(by hand\) took all of it, [\d.]+k? tokens, as you asked for it/;
	expect(await pi.answer(`/cwl why ${planned}`)).toMatch(because);
	await pi.kill();

	const resumed = trial.resume({ environment });
	expect(await resumed.answer(`/cwl why ${planned}`)).toMatch(because);
	expect(await resumed.answer(`/cwl evict ${planned}`)).toMatch(/may leave: it is evicted already\.$/);
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(trial.breaks()).toHaveLength(1);
});

/** The sizes that an answer of `/cwl evict` names: where it stopped, and low water. */
function endOf(answer: string) {
	const [, stay = "", low = ""] = / ([\d.]+k?) tokens stay: .*low water \(([\d.]+k?)\)/.exec(answer) ?? [];
	return { stay, low };
}

test("/cwl evict without a name goes down to low water, and then there is nothing to do", async () => {
	const trial = await startWorkTrial(3, 4);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k", CWL_ZONES: "spike=nothing" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const before = await readState(pi);
	const notices = await pi.command("/cwl evict");
	const after = await readState(pi);
	expect(textOf(notices)).toMatch(
		/^cwl: from the next request on, .* tokens stay: a pass stops as soon as it is at or below low water \(/,
	);
	const size = formatTokens(after.pressure.used);
	const low = / goes down to (\S+),/.exec(after.budgetReason)?.[1];
	expect(endOf(textOf(notices))).toEqual({ stay: size, low });
	expect(after.passes.length).toBe(before.passes.length + 1);
	expect(await readFile(await pi.file(), "utf8")).toContain(
		'"settings":{"isAuto":false,"lowWater":"balanced","policy":"cwl"}}',
	);
	expect(after.ledger.total).toBe(after.passes.at(-1)?.after);
	expect(after.ledger.total).toBeLessThanOrEqual(0.45 * after.pressure.budget);
	const again = await pi.answer("/cwl evict");
	expect(again).toMatch(/^cwl: nothing to do: /);
	expect(endOf(again)).toEqual({ stay: size, low });
	await pi.prompt(trial.prompts[3] ?? "");
});

test("/cwl evict says where it stopped above low water, and why", async () => {
	const trial = await startTrial({
		files: {
			"old.txt": "cold beer\n".repeat(400),
			"new.txt": "warm tea with milk and sugar\n".repeat(1_600),
		},
		model: ({ messages }) => {
			const answered = messages.filter(({ type }) => type === "assistant").length;
			if (answered === 0) return { calls: [start("look-old", "expl"), read("old.txt")] };
			if (answered === 1) return { calls: [end("beer")] };
			return answered === 3 ? { calls: [start("look-new", "expl"), read("new.txt")] } : { text: "ok" };
		},
	});
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k", CWL_ZONES: "spike=nothing" } });
	await pi.promptAll(["read the old one", "read the new one"]);
	for (const first of [/^cwl: from the next request on, /, /^cwl: nothing to do: /]) {
		const answer = await pi.answer("/cwl evict");
		expect(answer).toMatch(first);
		expect(answer).toContain("stay: below the budget a pass spares open episodes, ");
		expect(answer).toContain(", so it stops above low water (");
		const { pressure, budgetReason } = await readState(pi);
		expect(endOf(answer)).toEqual({
			stay: formatTokens(pressure.used),
			low: / goes down to (\S+),/.exec(budgetReason)?.[1],
		});
	}
});

test("a name that is unknown is answered with the closest, and quoted", async () => {
	const trial = await startTrial({
		model: () => ({
			calls: [start("\u001b[2Jlook\nnow", "expl")],
		}),
		fault: (index) => (index > 1 ? { type: "stall" } : undefined),
	});
	const pi = trial.rpc();
	expect(await pi.answer("/cwl why")).toBe("cwl: no episode was named: use /cwl why REF|PASS.");
	expect(await pi.answer("/cwl why x")).toBe("cwl: no episode or pass x: there is no episode yet");
	await pi.send({ type: "prompt", message: "go" });
	await until(() => trial.requests.length >= 2);
	const [notice] = await pi.command("/cwl why a\u001b[31m");
	expect(notice).toEqual({
		kind: "error",
		// The name that the model asked for was refused, so that its work has one of ours.
		text: expect.stringMatching(/^cwl: no episode or pass "a\\u001b\[31m": did you mean unmarked-\d+\?$/),
	});
	expect(await pi.answer("/cwl evict now")).not.toContain("\u001b");
});

test("a budget that the first message alone exceeds is told once; /cwl settings shows the settings in force and the problems found, and evict refuses while off", async () => {
	const trial = await startTrial();
	const pi = trial.rpc({ environment: { CWL_BUDGET: "2k" } });
	expect(await pi.answer("/cwl settings")).toMatch(
		/^cwl: settings: no problems found\n {2}enabled: true \(default\)\n {2}budget: 2k \(environment CWL_BUDGET\)/,
	);
	await pi.prompt("word ".repeat(4_000));
	await pi.prompt("and?");
	expect(pi.said("warning")).toEqual([
		expect.stringMatching(
			/^cwl: ~?[\d.]+k of ~?2k tokens and nothing that this request could evict\. Largest: prologue \(~?[\d.]+k\); .*raise the budget\.$/,
		),
	]);
	expect(await pi.answer("/cwl settings")).toMatch(
		/problem: ~?[\d.]+k of ~?[\d.]+k tokens can never leave, .* raises the budget/,
	);
	await pi.command("/cwl off");
	expect(await pi.answer("/cwl settings")).toContain("problem: cwl is off: /cwl on");
	expect(await pi.answer("/cwl evict")).toBe(
		"cwl: cwl is off and every request sends the whole history, except for thinking that the provider would refuse: /cwl on first.",
	);
});

test("a pinned episode stays whatever the pressure, but for thinking that a pass makes invalid, after a resume too, until it is unpinned", async () => {
	const trial = await startWorkTrial(3, 6);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	await pi.promptAll(trial.prompts.slice(0, 2));
	const { nextPasses } = await readState(pi);
	const name = nextPasses[0]?.strips[0]?.episode ?? "";
	expect(await pi.answer(`/cwl pin ${name}`)).toMatch(
		/is pinned: no pass takes its [\d.]+k? tokens until you pin it again, except for its thinking, which leaves where older text changes; \/compact still summarizes them\.$/,
	);
	expect(await pi.answer(`/cwl evict ${name}`)).toBe(
		`cwl: nothing of ${name} may leave: you pinned it (/cwl pin again lets it go).`,
	);
	const strips = (await readState(pi)).nextPasses
		.flatMap((next) => next.strips)
		.filter(({ level }) => level > 1);
	expect(strips.map(({ episode }) => episode)).not.toContain(name);
	await pi.kill();

	const resumed = trial.resume({ environment: { CWL_BUDGET: "24k" } });
	await resumed.promptAll(trial.prompts.slice(2, 4));
	expect((await readState(resumed)).passes.length).toBeGreaterThan(0);
	expect(await levelOf(resumed, name)).toBeLessThanOrEqual(1);
	expect(await resumed.answer(`/cwl why ${name}`)).toMatch(
		/ since you pinned it \(\/cwl pin again lets it go\)\.$/,
	);
	expect(await resumed.answer(`/cwl pin ${name}`)).toBe(`cwl: ${name} is no longer pinned.`);
	await resumed.command("/cwl settings budget 20k");
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(await levelOf(resumed, name)).toBe(4);
	expect(await resumed.answer(`/cwl pin ${name}`)).toMatch(
		/is evicted already, and a pin brings nothing back/,
	);
});

const pasted = (name: string) =>
	`Look at this ${name} log.\n${`${name} line of a log\n`.repeat(400)}What is wrong?`;

test("/cwl release cuts old pasted bulk to head and tail, and undo brings it back", async () => {
	const trial = await startTrial();
	const pi = trial.rpc();
	const sent = () =>
		(trial.requests.at(-1)?.messages ?? []).filter(({ type }) => type === "user").map(({ text }) => text);
	expect(await pi.answer("/cwl release")).toMatch(/^cwl: nothing to release: /);
	await pi.promptAll([pasted("red"), pasted("green"), "go on", "go on"]);
	expect(sent()).toContain(pasted("red"));
	expect(await pi.answer("/cwl release")).toMatch(
		/^cwl: 2 old messages of yours keep their head and tail from the next request on, [\d.]+k tokens less; /,
	);
	await pi.prompt("go on");
	const green = sent().find((text) => text.startsWith("Look at this green"));
	expect(green?.length).toBeLessThan(2_500);
	expect(green).toMatch(/^Look at this green log\.\n[\s\S]*left out on request[\s\S]*What is wrong\?$/);
	expect(sent()).not.toContain(pasted("red"));

	expect((await readState(pi)).passes).toHaveLength(1);
	await pi.command("/cwl undo");
	await pi.prompt("go on");
	expect(sent()).toEqual(expect.arrayContaining([pasted("red"), pasted("green")]));
});

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
		/^cwl: pass 1 is taken back: the next request has the [\d.]+k? tokens again that the pass took, and about [\d.]+k? of what was sent before are written to the cache again\.(?: [\d.]+k? of thinking leave, since older text changes\.)? This costs about \$[\d.]+ more with the next request and (about \$[\d.]+|no) more with each later one\. (No pass can come next|The next pass comes .+)\.$/,
	);
	// The footer shows the last pass, and none holds; thinking that the undo made invalid is no pass.
	expect(pi.status()).not.toContain("pass #");
	expect(await levelOf(pi, name)).toBeLessThanOrEqual(1);
	expect(await agreedSize(pi)).toBeGreaterThan(evicted);
	expect(await pi.answer(`/cwl why ${name}`)).toMatch(/ since pass 1 was taken back \(\/cwl undo\)/);
	await pi.prompt(trial.prompts[3] ?? "");
	expect(startsIn(trial.requests.at(-1))).toContain(name);
	expect(await pi.answer("/cwl undo")).toBe("cwl: there is no pass to take back.");
	await pi.kill();

	const resumed = trial.resume({ environment });
	await until(() => /k\/60k/.test(resumed.status()));
	await agreedSize(resumed);
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(startsIn(trial.requests.at(-1))).toContain(name);
	// What is left of it in the log is the thinking that came back behind another prefix.
	expect((await readState(resumed)).passes.map(({ policy }) => policy)).toEqual([PREFIX_CHANGED]);
	expect(trial.breaks()).toHaveLength(2);
});

test.each([
	{ api: "anthropic", thinking: "off", tasks: 0 },
	{ api: "anthropic", thinking: "off", tasks: 1 },
	{ api: "anthropic", thinking: "medium", tasks: 1 },
	{ api: "completions", thinking: "off", tasks: 1 },
] as const)(
	"/cwl undo announces what the wire then writes to the cache again ($api, thinking $thinking, tasks after the pass: $tasks)",
	async ({ api, thinking, tasks }) => {
		const trial = await startWorkTrial(3, 5, { api });
		const pi = trial.rpc({ args: ["--thinking", thinking], environment: { CWL_BUDGET: "120k" } });
		await pi.promptAll(trial.prompts.slice(0, 3));
		const { episodes } = await readState(pi);
		const early = episodes.toSorted((a, b) => b.tokens - a.tokens)[0];
		await pi.command(`/cwl evict ${early?.name}`);
		await pi.promptAll(trial.prompts.slice(3, 3 + tasks));
		const figureIn = (pattern: RegExp, text: string) => {
			const [, figure = "0"] = pattern.exec(text) ?? [];
			return Number.parseFloat(figure) * (figure.endsWith("k") ? 1_000 : 1);
		};
		const writtenBy = async (prompt: string) => {
			const index = trial.loopback.records().length;
			await pi.prompt(prompt);
			const { promptTokens = 0, cachedTokens = 0 } = trial.loopback.records()[index] ?? {};
			return promptTokens - cachedTokens;
		};
		const announced = await pi.answer("/cwl undo");
		const again = figureIn(/and about ([\d.]+k?) of what was sent before/, announced);
		// The last answer and the message are new.
		expect(Math.abs((await writtenBy("thank you")) - again)).toBeLessThan(400 + 0.03 * again);
		if (tasks === 0) expect(announced).toContain(", and the provider still has them in its cache.");
		else expect(again).toBeGreaterThan(1_000);
	},
);

test("where a pass comes with the next request, /cwl undo says what that request has, writes and costs after both, as the wire then shows", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const name = (await readState(pi)).nextPasses[0]?.strips[0]?.episode ?? "";
	await pi.command(`/cwl evict ${name}`);
	await pi.prompt(trial.prompts[3] ?? "");
	const small = (await readState(pi)).pressure.used;
	await pi.command(`/cwl settings budget ${small + 500}`);
	const announced = await pi.answer("/cwl undo");
	const [, figure = "", cost = ""] =
		/ again that the pass took, and the next pass comes with it and takes [\d.]+k? tokens from \S+.*\. After both, about ([\d.]+k?) of what was sent before are written to the cache again\.(?: [\d.]+k? of thinking leave, since older text changes\.)? This costs about \$([\d.]+) more with the next request/.exec(
			announced,
		) ?? [];
	const tokens = Number.parseFloat(figure) * (figure.endsWith("k") ? 1_000 : 1);
	const index = trial.loopback.records().length;
	await pi.prompt("thank you");
	const { promptTokens = 0, cachedTokens = 0 } = trial.loopback.records()[index] ?? {};
	const written = promptTokens - cachedTokens;
	expect(tokens).toBeGreaterThan(1_000);
	expect(Math.abs(written - tokens)).toBeLessThan(400 + 0.03 * tokens);
	// Dollars for a million tokens that are written and read; without the undo, the request would have been read.
	const price = (1.25 * written + 0.125 * (cachedTokens - small)) / 1_000_000;
	expect(Math.abs(Number(cost) - price)).toBeLessThan(0.002 + 0.05 * price);
});

test("after an undo that makes thinking invalid, undo and plan announce what the next message writes, as the wire then shows", async () => {
	const trial = await startWorkTrial(3, 4, { api: "anthropic" });
	const environment = { CWL_BUDGET: "24k", CWL_ZONES: "spike=nothing" };
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	await pi.promptAll(trial.prompts.slice(0, 3));
	await pi.command("/cwl evict");
	await pi.prompt(trial.prompts[3] ?? "");
	const undone = await pi.answer("/cwl undo");
	expect(undone).toMatch(/ [\d.]+k? of thinking leave, since older text changes\./);
	const plan = await pi.answer("/cwl plan");
	const { nextPasses, passes } = await readState(pi);
	const index = trial.loopback.records().length;
	await pi.prompt("thank you");
	const { promptTokens = 0, cachedTokens = 0 } = trial.loopback.records()[index] ?? {};
	const written = promptTokens - cachedTokens;
	const [next] = nextPasses;
	expect(next?.at).toBe("next message");
	expect(Math.abs(written - (next?.effect?.rewritten ?? 0))).toBeLessThan(0.02 * written);
	expect(plan).toContain(`Next, at your next message: ${formatTokens(next?.freed ?? 0)} of `);
	const made = (await readState(pi)).passes.map(({ policy }) => policy);
	expect([passes.map(({ policy }) => policy), made]).toEqual([[PREFIX_CHANGED], [PREFIX_CHANGED, "cwl"]]);
});

test("after a /compact, the announced size and passes are without the thinking that it makes invalid", async () => {
	const settings = { compaction: { keepRecentTokens: 8_000 } };
	const trial = await startWorkTrial(3, 5, { api: "anthropic", addsThinking: true, settings });
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment: { CWL_BUDGET: "30k" } });
	await pi.promptAll(trial.prompts.slice(0, 4));
	await pi.send({ type: "compact" });
	const announced = await readState(pi);
	const index = trial.loopback.records().length;
	await pi.prompt(trial.prompts[4] ?? "");
	const { promptTokens = 0 } = trial.loopback.records()[index] ?? {};
	const lost = (await readState(pi)).passes.find(({ policy }) => policy === PREFIX_CHANGED);
	expect(lost?.forfeited).toBeGreaterThan(400);
	// The message and a note of the state of git come with it, which are smaller than that thinking.
	const added = promptTokens - announced.pressure.used;
	expect(added).toBeGreaterThan(0);
	expect(added).toBeLessThan(300);
});

test("a pass that is announced after /cwl on comes with the next message, although the switch makes thinking invalid", async () => {
	const trial = await startWorkTrial(3, 9, { api: "anthropic" });
	const environment = { CWL_BUDGET: "60k", CWL_ZONES: "spike=nothing" };
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment });
	await pi.command("/cwl off");
	await pi.promptAll(trial.prompts.slice(0, 9));
	await pi.command("/cwl on");
	const { nextPasses, passes } = await readState(pi);
	expect([nextPasses[0]?.at, passes]).toEqual(["next message", []]);
	await pi.prompt("thank you");
	const made = (await readState(pi)).passes.map(({ policy }) => policy);
	expect(made).toEqual([PREFIX_CHANGED, "cwl"]);
});

test("/cwl undo counts a beginning that is too small for a cache with what is written again", async () => {
	const steps = (prompt: string) => [
		{ calls: [start(`look-${prompt}`, "expl"), read("file.txt")] },
		{
			calls: [
				end("seen"),
				start(`fix-${prompt}`, "act", { dependencies: [`look-${prompt}`] }),
				read("file.txt", { offset: 2 }),
			],
		},
		{ calls: [end(), read("file.txt", { offset: 3 })] },
	];
	const files = { "file.txt": "cold beer\n".repeat(700) };
	const trial = await startTrial({ api: "anthropic", files, model: following(steps) });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	await pi.promptAll(["one", "two"]);
	await pi.command("/cwl evict fix-two");
	await pi.command("/cwl settings budget 8000");
	const announced = await pi.answer("/cwl undo");
	const [, figure = "0"] =
		/After both, about ([\d.]+)k of what was sent before are written/.exec(announced) ?? [];
	const index = trial.loopback.records().length;
	await pi.prompt("three");
	const { promptTokens = 0, cachedTokens } = trial.loopback.records()[index] ?? {};
	expect(cachedTokens).toBe(0);
	expect(Math.abs(1_000 * Number(figure) - promptTokens)).toBeLessThan(200);
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
		/ again that the pass took, and the next pass comes with it and takes [\d.]+k? tokens from \S+.*\. After both, .+ with each later one\./,
	);
	await pi.command("/cwl settings budget 4k");
	await pi.prompt(trial.prompts[4] ?? "");
	expect(textOf(pi.notices())).toMatch(
		/cwl: the budget is too small for what \/cwl undo brought back; some of it is evicted again\./,
	);
	// The price is that of the request with the pass.
	expect(await pi.answer("/cwl undo")).toMatch(
		/^cwl: pass \d+ is taken back: the next pass takes (some of )?the same outputs again, so no request has them all\. It comes with the next request and takes [\d.]+k? tokens from \S+.*\. After both, .+ This costs .+ with each later one\. \/cwl pin keeps an episode\.$/,
	);
});

test("a pass made by hand has no figure of what /cwl off and on had written; /cwl why says what is sent while off, and what a recall brought back", async () => {
	const trial = await startWorkTrial(3, 4);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "120k" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const { episodes } = await readState(pi);
	const name = episodes.toSorted((a, b) => b.tokens - a.tokens)[0]?.name ?? "";
	await pi.command(`/cwl evict ${name}`);
	await pi.command("/cwl off");
	expect(await pi.answer(`/cwl why ${name}`)).toMatch(
		/^cwl: \S+ \(\w+, \w+\): [\d.]+k of [\d.]+k tokens are here, since cwl is off and every request sends the whole history, except for thinking that the provider would refuse\.$/,
	);
	await pi.prompt("thank you");
	const passOf = async () => (await readState(pi)).passes.find(({ policy }) => policy === "by hand");
	const unknown = { cached: null, rewritten: null, paidBackAfter: null };
	expect(await passOf()).toMatchObject(unknown);
	await pi.command("/cwl on");
	await pi.promptAll(["thank you", "thank you again"]);
	const made = await passOf();
	expect(made).toMatchObject(unknown);
	expect(await pi.answer("/cwl")).not.toMatch(/by hand, \S+ again/);
	const { passes } = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout);
	expect(passes[0]).toMatchObject({ rewritten: null, paidBackAfter: null });

	const back = "; recalled text of it is in the context. ";
	const evicted = await pi.answer(`/cwl why ${name}`);
	expect(evicted).toMatch(/[:;] pass 1 \(by hand\) took .* as you asked for it/);
	expect(evicted).not.toContain(back);
	await pi.command(`/cwl recall ${name}`);
	expect(await pi.answer(`/cwl why ${name}`)).toContain(back);
	const note = (await readState(pi)).episodes.find(({ isRecall }) => isRecall)?.name;
	expect(await pi.answer(`/cwl why ${note}`)).toMatch(/^cwl: \S+ \(note, /);
});
