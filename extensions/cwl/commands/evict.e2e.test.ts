import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { formatTokens } from "#basics";
import { end, read, start } from "../test-support/following.ts";
import { readState, textOf } from "../test-support/state.ts";
import { startTrial } from "../test-support/trial.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

const environment = { CWL_BUDGET: "60k", CWL_POLICY: "paper-adapted" };

test("/cwl plan changes nothing, /cwl evict makes a pass that holds after a resume, /cwl why tells which", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const state = await readState(pi);
	expect(state).toMatchObject({
		version: 2,
		settings: { budget: "60k" },
		passes: [],
		nextPasses: expect.arrayContaining([expect.objectContaining({ at: "full" })]),
	});
	expect(state.episodes.map(({ level }) => level)).not.toContain(4);

	const plan = await pi.answer("/cwl plan");
	const when = String.raw`(when the model marks its next expl|within [\d.]+k tokens)`;
	expect(plan).toMatch(new RegExp(String.raw`^cwl: Next, ${when}: likely [\d.]+k tokens leave\.$`, "m"));
	const planned = state.nextPasses[0]?.strips[0]?.episode ?? "";
	expect(plan).toContain(planned);
	expect((await readState(pi)).passes).toEqual([]);

	expect(await pi.answer(`/cwl why ${planned}`)).toMatch(
		new RegExp(`tokens are here, whole, since its pass is yet to come; .+ may leave ${when}\\.`),
	);
	const evicted = await pi.answer(`/cwl evict ${planned}`);
	expect(evicted).toMatch(
		/^cwl: from the next request on, [\d.]+k? tokens of \d+ (outputs?|episodes?) leave.*\.$/,
	);
	expect(evicted).not.toContain(" stay, since");
	await pi.prompt(trial.prompts[3] ?? "");
	expect(trial.breaks()).toHaveLength(1);
	const because = /was evicted: pass 1 \(by hand\) freed [\d.]+k? tokens of it, as you asked for it/;
	const why = await pi.answer(`/cwl why ${planned}`);
	expect(why).toMatch(because);
	expect(await pi.answer("/cwl why 12")).toBe("cwl: no pass 12: the last one of this branch is pass 1.");
	const [made = { before: 0, after: 0, strips: [], lines: 0 }] = (await readState(pi)).passes;
	const parts = made.strips.reduce((sum, { tokens }) => sum + tokens, made.lines);
	expect(Math.abs(parts - made.before + made.after)).toBeLessThanOrEqual(made.strips.length);
	// The work that it builds on may leave with it.
	expect(made.strips.length).toBeGreaterThan(1);
	for (const { episode } of made.strips.slice(0, 2))
		expect(evicted).toMatch(new RegExp(` leave.*: .*${episode.slice(0, 20)}.*\\. The next`));
	const own = made.strips.find(({ episode }) => episode === planned)?.tokens ?? 0;
	expect(why).toContain(` freed ${formatTokens(own)} tokens of it, `);
	await pi.kill();

	const resumed = trial.resume({ environment });
	expect(await resumed.answer(`/cwl why ${planned}`)).toMatch(because);
	expect(await resumed.answer(`/cwl evict ${planned}`)).toMatch(/may leave now: it is evicted already\.$/);
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(trial.breaks()).toHaveLength(1);
});

test("recalled text is known by the name of its episode, also where it holds lines of dashes", async () => {
	const trial = await startTrial({
		files: { "change.diff": "--- a/beer.ts\n+++ b/beer.ts\n".repeat(100) },
		model: ({ messages }) => {
			const answered = messages.filter(({ type }) => type === "assistant").length;
			if (answered === 0) return { calls: [start("look", "expl"), read("change.diff")] };
			return answered === 1 ? { calls: [end("beer")] } : { text: "ok" };
		},
	});
	const pi = trial.rpc({ environment });
	await pi.promptAll(["read the change", "thank you"]);
	await pi.command("/cwl evict look");
	await pi.command("/cwl recall look");
	expect(await pi.answer("/cwl pin look")).toMatch(/^cwl: \S+, which has recalled text of look, is pinned: /);
	expect(await pi.answer("/cwl why look")).toMatch(/; recalled text of it is in \S+\. /);
	expect(await pi.answer("/cwl recall look")).toMatch(/ \S+ had recalled text of it already\.$/);
});

/** The sizes that an answer of `/cwl evict` names: where it stopped, and low water. */
function endOf(answer: string) {
	const [, stay = "", low = ""] = / ([\d.]+k?) tokens stay[:,] .*low water \(([\d.]+k?)\)/.exec(answer) ?? [];
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
	const low = / aims at (\S+) /.exec(after.budgetReason)?.[1];
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
		const why = await pi.answer("/cwl why look-new");
		const [, reason = "no reason"] = / since (.*?)\.( Its outputs: |$)/.exec(why) ?? [];
		expect(answer).toContain(
			` /cwl evict takes no more. The largest part of them, look-new, stays since ${reason}. `,
		);
		const { pressure, budgetReason } = await readState(pi);
		expect(endOf(answer)).toEqual({
			stay: formatTokens(pressure.used),
			low: / aims at (\S+) /.exec(budgetReason)?.[1],
		});
	}
	await pi.prompt("thanks");
	const used = "the last answer and its results are part of it";
	expect(await pi.answer("/cwl evict look-new")).toMatch(
		new RegExp(` \\d+ tokens of look-new stay, since ${used}\\.$`),
	);
	expect(await pi.answer("/cwl evict look-new")).toContain(`nothing of look-new may leave now: ${used}.`);
});

test("/cwl evict and the alert name what the user wrote as the largest part of what stays, and /cwl release says which of it stays whole", async () => {
	const trial = await startTrial({
		files: { "new.txt": "warm tea with milk and sugar\n".repeat(300) },
		model: ({ messages }) =>
			messages.some(({ type }) => type === "result") ? { text: "ok" } : { calls: [read("new.txt")] },
	});
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k" } });
	await pi.prompt("please ".repeat(20_000));
	const { ledger, alerts } = await readState(pi);
	const written = `what you wrote, ${formatTokens(ledger.user + ledger.prologue)}`;
	const remedy = "/cwl release cuts your long messages before the last two to head and tail";
	expect(await pi.answer("/cwl evict")).toContain(
		`. The largest part of them is ${written}, which no pass takes; ${remedy}.`,
	);
	expect(alerts[0]?.text).toContain(`, most of it ${written}`);
	expect(alerts[0]?.remedy).toContain(remedy);
	expect(await pi.answer("/cwl release")).toBe(
		"cwl: nothing to release: your last two messages stay whole, and older ones are short or cut already.",
	);
	await pi.promptAll(["go on", "go on"]);
	expect(await pi.answer("/cwl release")).toMatch(/^cwl: 1 old message of yours keeps its head and tail /);
});

test("what an eviction leaves of the work that a turn began with says so, in /cwl why too", async () => {
	const answers = [
		{ calls: [start("look-old", "expl"), read("old.txt")] },
		{ calls: [end("beer")] },
		{ calls: [read("new.txt")] },
	];
	const trial = await startTrial({
		api: "anthropic",
		addsThinking: true,
		files: { "old.txt": "cold beer\n".repeat(700), "new.txt": "new beer\n".repeat(100) },
		model: () => answers.shift() ?? { text: "ok" },
	});
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment: { CWL_BUDGET: "24k" } });
	await pi.prompt("read the old one, then the new one");
	const begun = "the work since your last message begins with it";
	expect(await pi.answer("/cwl evict look-old")).toMatch(
		new RegExp(` [\\d.]+k? tokens of look-old stay, since ${begun}\\.$`),
	);
	expect(await pi.answer("/cwl evict look-old")).toContain(`nothing of look-old may leave now: ${begun}.`);
	expect(await pi.answer("/cwl why look-old")).toContain(` The rest stays since ${begun}`);
	await pi.command("/cwl recall look-old");
	expect(await pi.answer("/cwl pin look-old")).toMatch(
		/^cwl: look-old is pinned: .+ Recalled text of it is in (\S+), which \/cwl pin \1 keeps\.$/,
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
		/^cwl: \S+ \(\w+, \w+\): ~[\d.]+k of ~[\d.]+k tokens are here, since cwl is off and every request sends all that pi has not compacted, except for thinking that the provider would refuse, and pi may compact by itself\.$/,
	);
	await pi.prompt("thank you");
	const passOf = async () => (await readState(pi)).passes.find(({ policy }) => policy === "by hand");
	const unknown = { cached: null, rewritten: null };
	expect(await passOf()).toMatchObject(unknown);
	await pi.command("/cwl on");
	await pi.promptAll(["thank you", "thank you again"]);
	const made = await passOf();
	expect(made).toMatchObject(unknown);
	expect(await pi.answer("/cwl")).not.toMatch(/by hand, \S+ again/);
	const { passes } = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout);
	expect(passes[0]).toMatchObject({ rewritten: null });

	const back = "; recalled text of it is in ";
	const evicted = await pi.answer(`/cwl why ${name}`);
	expect(evicted).toMatch(/[:;] pass 1 \(by hand\) freed .* as you asked for it/);
	expect(evicted).not.toContain(back);
	await pi.command(`/cwl recall ${name}`);
	expect(await pi.answer(`/cwl why ${name}`)).toContain(back);
	const note = (await readState(pi)).episodes.find(({ isRecall }) => isRecall)?.name;
	expect(await pi.answer(`/cwl why ${note}`)).toMatch(/^cwl: \S+ \(note, /);
});
