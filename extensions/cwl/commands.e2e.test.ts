import { expect, test } from "vitest";
import { startTrial } from "./test-support/trial.ts";
import { tokensIn } from "./test-support/wire-figures.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

test("the switches of /cwl hold for this session and after a resume", async () => {
	const trial = await startWorkTrial(3, 6);
	const { prompts } = trial;
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k" } });
	await pi.promptAll(prompts.slice(0, 4));
	expect(trial.loopback.records().every(({ promptTokens }) => promptTokens <= 24_000)).toBe(true);

	const off = await pi.answer("/cwl off");
	const most =
		/The next request writes at most all of its tokens \(~([\d.]+k), ~\$[\d.]+\), your message and the state of git to the provider's cache\.$/;
	expect(off).toMatch(
		/^cwl: off: every request sends all that pi has not compacted, except for thinking that the provider would refuse, and pi may compact by itself\. The next/,
	);
	expect(pi.status()).toContain(`requests send all ~${tokensIn(most, off) / 1_000}k tokens`);
	expect(pi.status()).toMatch(/^cwl off · requests send all ~\d+k tokens$/);
	await pi.prompt(prompts[4] ?? "");
	const whole = trial.requests.at(-1);
	for (const prompt of prompts.slice(0, 5))
		expect(JSON.stringify(whole?.messages)).toContain(JSON.stringify(prompt).slice(1, -1));
	expect(trial.loopback.records().at(-1)?.promptTokens).toBeGreaterThan(24_000);
	expect(JSON.stringify(whole?.messages)).not.toContain(", evicted]");
	await pi.kill();

	const resumed = trial.resume({ environment: { CWL_BUDGET: "24k" } });
	const [switched] = await resumed.command("/cwl");
	expect(switched?.text).toMatch(/^cwl is off: policy cwl, budget 24k tokens/);
	const on = await resumed.answer("/cwl on");
	expect(on).toMatch(/^cwl: on: this session is kept under its budget\. The next/);
	expect(tokensIn(most, on)).toBeLessThanOrEqual(24_000);
	expect((await resumed.command("/cwl settings budget 22k")).map(({ text }) => text)).toEqual([
		expect.stringMatching(
			/^cwl: budget is fixed: at most 22k; .* aims at ~?[\d.]+k but .*, from the next request on\.$/,
		),
	]);
	await resumed.prompt(prompts[5] ?? "");
	expect(trial.loopback.records().at(-1)?.promptTokens).toBeLessThanOrEqual(22_000);
	await resumed.kill();

	const again = trial.resume({ environment: { CWL_BUDGET: "24k" } });
	const [last] = await again.command("/cwl");
	expect(last?.text).toMatch(/^cwl is on: policy cwl, budget 22k tokens \(command \/cwl settings budget\)/);
});

test("while cwl is off too, the footer counts the answer once the run has ended", async () => {
	const trial = await startTrial({ model: () => ({ text: "word ".repeat(500) }) });
	const pi = trial.rpc();
	await pi.prompt("one");
	await pi.command("/cwl off");
	await pi.prompt("two");
	const { promptTokens = 0, outputTokens = 0 } = trial.loopback.records().at(-1) ?? {};
	expect(outputTokens).toBeGreaterThan(400);
	const shown = () => tokensIn(/^cwl off · requests send all ~?([\d.]+k?) tokens$/, pi.status());
	await expect.poll(shown).toBeGreaterThan(promptTokens + outputTokens - 150);
	expect(shown()).toBeLessThan(promptTokens + outputTokens + 150);
});

test("/cwl off says by how much the whole history exceeds the model's window", async () => {
	const trial = await startWorkTrial(3, 5, { contextWindow: 24_000 });
	const pi = trial.rpc({ environment: { CWL_BUDGET: "14k" } });
	await pi.prompt(trial.prompts[0] ?? "");
	expect(await pi.answer("/cwl off")).not.toContain("window");
	await pi.command("/cwl on");
	await pi.promptAll(trial.prompts.slice(1));
	const [, said] =
		/\. That is (\S+) tokens, and the model's window has 24k: the provider refuses that, so \/compact first, or \/cwl on\.$/.exec(
			await pi.answer("/cwl off"),
		) ?? [];
	expect(pi.status()).toBe(`cwl off · requests send all ${said} tokens`);
	expect(Number.parseInt(said?.slice(1) ?? "", 10)).toBeGreaterThan(24);
});

test("the tools of a request have the same order whatever was switched, also after a resume: the cached prefix begins with them", async () => {
	const trial = await startTrial();
	const toolsOf = () => trial.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
	const pi = trial.rpc();
	await pi.prompt("one");
	const first = toolsOf();
	expect(first).toEqual(expect.arrayContaining(["delimiter", "recall", "glob", "grep", "read"]));
	await pi.command("/cwl off");
	await pi.prompt("two");
	expect(toolsOf()).toEqual(first.filter((name) => name !== "delimiter" && name !== "recall"));
	await pi.command("/cwl on");
	await pi.prompt("three");
	expect(toolsOf()).toEqual(first);
	await pi.command("/cwl off");
	await pi.kill();

	const resumed = trial.resume();
	await resumed.command("/cwl on");
	await resumed.prompt("four");
	expect(toolsOf()).toEqual(first);
	await resumed.kill();
	const again = trial.resume();
	await again.prompt("five");
	expect(toolsOf()).toEqual(first);
});

test("/cwl refuses what it does not know in one line that names what it does", async () => {
	const trial = await startTrial();
	const pi = trial.rpc({ args: ["--no-session"] });
	for (const [words, answer] of [
		["brief sync", /^cwl: this session is kept in memory only: a brief needs a session file\.$/],
		["brief nonsense", /^cwl: \/cwl brief nonsense: use \/cwl brief, or goal, task or constraint/],
		["settings budget 60k now", /^cwl: budget is "60k now": use auto, tokens .* or a share .*\.$/],
		["report now", /report takes only --redact/],
		["plan x", /^cwl: \/cwl plan takes nothing after it, and got "x"\.$/],
		["plan --json", /got "--json"\. \/cwl report --json has the figures of all screens\.$/],
		["sleep", /^cwl: there is no command \/cwl sleep\. \/cwl help lists all\.$/],
		["recal x", /^cwl: there is no command \/cwl recal\. Did you mean \/cwl recall\?/],
	] as const) {
		expect(await pi.command(`/cwl ${words}`)).toEqual([
			{ kind: "error", text: expect.stringMatching(answer) },
		]);
	}
	const [help] = await pi.command("/cwl help");
	const rows = (help?.text ?? "").split("\n").slice(1);
	expect(rows).toHaveLength(15);
	for (const row of rows) expect(row).toMatch(/^ {2}\/cwl \S+( \S+)? {2,}\w+/);
	const said = async (words: string) => await pi.answer(`/cwl settings ${words}`);
	expect(await said("policy paper")).toBe("cwl: policy is paper from the next request on.");
	expect(await said("budget 900k")).toMatch(
		/^cwl: budget is fixed: at most 184k; .* on: the rest of the model's window stays free for the answer\.$/,
	);
	expect(await said("budget 40%")).toMatch(
		/^cwl: budget is fixed: at most 80k; .* aims at ~?[\d.]+k but .*, from the next/,
	);
	expect(pi.status()).toBe("cwl -/80k");
	expect(await said("budget auto")).toMatch(/^cwl: budget is auto: at most 160k; /);
});
