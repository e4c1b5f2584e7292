import { appendFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PIN_ENTRY } from "#pi/session";
import type { ModelRequest } from "#testing";
import { end, following, read, start } from "../test-support/following.ts";
import { readSessionEntries } from "../test-support/session-entries.ts";
import { levelOf, readState } from "../test-support/state.ts";
import { startTrial, until } from "../test-support/trial.ts";
import { tokensIn } from "../test-support/wire-figures.ts";
import { startWorkTrial } from "../test-support/work-trial.ts";

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

test("/cwl why names each file of an episode once, and counts its other outputs", async () => {
	const model = following((prompt) => [
		{ calls: [start(prompt, "expl"), read("a.txt"), read("a.txt", { offset: 2 }), read("b.txt")] },
		{ calls: [end("seen"), read("a.txt", { offset: 3 })] },
	]);
	const files = { "a.txt": "cold beer\n".repeat(90), "b.txt": "warm tea\n".repeat(40) };
	const pi = (await startTrial({ files, model })).rpc();
	await pi.prompt("look");
	expect(await pi.answer("/cwl why look")).toMatch(
		/ Its outputs: \S*a\.txt, read in the last turn, [^;]+; \S*b\.txt, read in the last turn, [^;]+; and 1 more\.$/,
	);
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
		"cwl: cwl is off and every request sends all that pi has not compacted, except for thinking that the provider would refuse, and pi may compact by itself: /cwl on first.",
	);
});

test("a pinned episode stays whatever the pressure, but for thinking that a pass makes invalid, after a resume too, until it is unpinned", async () => {
	const trial = await startWorkTrial(3, 6);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "60k" } });
	await pi.promptAll(trial.prompts.slice(0, 2));
	const { nextPasses } = await readState(pi);
	const name = nextPasses[0]?.strips[0]?.episode ?? "";
	expect(await pi.answer(`/cwl pin ${name}`)).toMatch(
		/is pinned: no pass takes its [\d.]+k? tokens until you pin it again, except for its thinking, which may leave where older text changes; \/compact still summarizes them\.$/,
	);
	const refused = await pi.answer(`/cwl evict ${name}`);
	expect(refused).toContain(`nothing of ${name} may leave now: you pinned it (/cwl pin again lets it go); `);
	expect(refused).toMatch(/; \d+ tokens of its reasoning may leave within [\d.]+k tokens\.$/);
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
		/ since you pinned it \(\/cwl pin again lets it go\)\. Its outputs: [^;]+, pinned[;.]/,
	);
	expect(await resumed.answer(`/cwl pin ${name}`)).toBe(`cwl: ${name} is no longer pinned.`);
	await resumed.command("/cwl settings budget 20k");
	await resumed.prompt(trial.prompts[4] ?? "");
	expect(await levelOf(resumed, name)).toBe(4);
	// While cwl is off, every request sends what it takes again once it is on.
	for (const [command, away] of [
		["/cwl off", "evicted again once cwl is on: /cwl on first, then"],
		["/cwl on", "evicted already:"],
	] as const) {
		await resumed.command(command);
		expect(await resumed.answer(`/cwl pin ${name}`)).toBe(
			`cwl: ${name} is ${away} /cwl recall ${name} brings its text back.`,
		);
	}
	await resumed.command(`/cwl recall ${name}`);
	const note = (await readState(resumed)).episodes.find(({ isRecall }) => isRecall)?.name;
	expect(await resumed.answer(`/cwl pin ${name}`)).toContain(
		`cwl: ${note}, which has recalled text of ${name}, is pinned: no pass takes its `,
	);
	expect((await readState(resumed)).episodes.find(({ isRecall }) => isRecall)?.pinned).toBe(true);
	expect(await resumed.answer(`/cwl why ${name}`)).toContain(`; recalled text of it is in ${note}. `);
	expect(await resumed.answer(`/cwl pin ${name}`)).toContain(" is no longer pinned.");
	expect(await resumed.answer(`/cwl pin ${note}`)).toContain(`cwl: ${note} is pinned: no pass takes its `);

	// Earlier versions pinned what was evicted.
	const file = await resumed.file();
	await resumed.kill();
	const { entries } = await readSessionEntries(file);
	const pin = entries.find(({ customType }) => customType === PIN_ENTRY);
	await appendFile(file, `${JSON.stringify({ ...pin, id: "pinned", parentId: entries.at(-1)?.id })}\n`);
	expect(await trial.resume().answer(`/cwl why ${name}`)).toMatch(
		/ was evicted: .* The session file still holds it, and you pinned it \(\/cwl pin again lets it go\)\.$/,
	);
});

/** The messages of a request from the start of an episode to the next message of the user. */
function workOf(request: ModelRequest | undefined, name: string) {
	const messages = request?.messages ?? [];
	const isStart = (message: ModelRequest["messages"][number]) =>
		message.type === "assistant" && message.calls.some((call) => call.arguments.name === name);
	const work = messages.slice(messages.findIndex(isStart));
	const rest = work.slice(
		0,
		work.findIndex(({ type }) => type === "user"),
	);
	const thinking = rest.map((message) => (message.type === "assistant" ? message.thinking : "")).join("");
	return { thinking, rest: rest.map((message) => ({ ...message, thinking: "" })) };
}

test("a pass in front of a pinned episode takes its thinking and nothing else of it, and plan and why say so", async () => {
	const trial = await startWorkTrial(3, 4, { api: "anthropic", addsThinking: true });
	const pi = trial.rpc({ args: ["--thinking", "medium"], environment: { CWL_BUDGET: "120k" } });
	await pi.promptAll(trial.prompts.slice(0, 3));
	const declared = (await readState(pi)).episodes.filter(({ origin }) => origin === "declared");
	const [early, , , pinned = ""] = declared.map(({ name }) => name);
	const lastWork = () => workOf(trial.requests.at(-1), pinned);
	await pi.command(`/cwl pin ${pinned}`);
	const thinking = String.raw`${pinned}: [\d.]+ of its reasoning$`;
	expect(await pi.answer("/cwl plan")).toMatch(new RegExp(thinking, "m"));
	const before = lastWork();
	expect(before.thinking).not.toBe("");
	await pi.command(`/cwl evict ${early}`);
	await pi.prompt(trial.prompts[3] ?? "");
	expect(lastWork()).toEqual({ ...before, thinking: "" });
	expect(await levelOf(pi, pinned)).toBe(1);
	expect(await pi.answer("/cwl plan")).not.toContain(pinned);
	expect(await pi.answer(`/cwl why ${pinned}`)).toMatch(
		/; pass 1 \(by hand\) took [\d.]+ tokens of its reasoning, as older text changed\. The rest stays since you pinned it /,
	);
});

const pasted = (name: string) =>
	`Look at this ${name} log.\n${`${name} line of a log\n`.repeat(400)}What is wrong?`;

test("/cwl release cuts long messages before the last two, and undo brings it back", async () => {
	const trial = await startTrial();
	const pi = trial.rpc();
	const sent = () =>
		(trial.requests.at(-1)?.messages ?? []).filter(({ type }) => type === "user").map(({ text }) => text);
	expect(await pi.answer("/cwl release")).toMatch(/^cwl: nothing to release: /);
	await pi.promptAll([pasted("red"), pasted("green"), "go on", "go on"]);
	expect(sent()).toContain(pasted("red"));
	const released = await pi.answer("/cwl release");
	expect(released).toMatch(
		/^cwl: 2 old messages of yours keep their head and tail from the next request on, [\d.]+k tokens less; /,
	);
	expect(await pi.answer("/cwl why 1")).toMatch(
		/ tokens of 2 messages of yours(, .*)?, as you asked for it\.$/,
	);
	const { passes } = JSON.parse((await trial.run(["report", await pi.file(), "--json"])).stdout);
	const [{ before, after, released: cut }] = passes;
	expect(cut).toEqual({ messages: 2, tokens: before - after });
	await pi.prompt("go on");
	const { promptTokens = Infinity } = trial.loopback.records().at(-1) ?? {};
	expect(promptTokens).toBeLessThan(1.02 * tokensIn(/at most all of its tokens \(~([\d.]+k?)/, released));
	const green = sent().find((text) => text.startsWith("Look at this green"));
	expect(green?.length).toBeLessThan(2_500);
	expect(green).toMatch(/^Look at this green log\.\n[\s\S]*left out on request[\s\S]*What is wrong\?$/);
	expect(sent()).not.toContain(pasted("red"));

	expect((await readState(pi)).passes).toHaveLength(1);
	await pi.command("/cwl undo");
	await pi.prompt("go on");
	expect(sent()).toEqual(expect.arrayContaining([pasted("red"), pasted("green")]));
});
