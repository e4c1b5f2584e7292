/**
 * The statements of the text commands against the data behind them: the session file, the figures of the model server and
 * the numbers of `/cwl report --json`.
 */
import { expect, test } from "vitest";
import { formatTokens } from "#pi/screen";
import { readData } from "./test-support/session-entries.ts";
import { readState, textOf } from "./test-support/state.ts";
import { startWorkTrial } from "./test-support/work-trial.ts";

test("/cwl, health, plan, why and settings say what the session file, the server and /cwl report --json hold", async () => {
	const trial = await startWorkTrial(3, 5);
	const pi = trial.rpc({ environment: { CWL_BUDGET: "24k", CWL_LOW_WATER: "0.7" } });
	for (const prompt of trial.prompts) await pi.prompt(prompt);
	const said = async (command: string) => textOf(await pi.command(command)).replace(/^cwl: /, "");
	const state = await readState(pi);
	const size = (tokens: number) => formatTokens(Math.round(state.scale * tokens));
	const passes: readonly LoggedPass[] = await readData(await pi.file(), "cwl.pass");
	expect(passes.length).toBeGreaterThan(0);

	const status = await said("/cwl");
	const settled = trial.loopback.records().slice(0, -1);
	const input = settled.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
	expect(Object.values(state.traffic).reduce((sum, tokens) => sum + tokens, 0)).toBe(input);
	const counted = passes.length === 1 ? "1 pass" : `${passes.length} passes`;
	expect(status).toContain(`\n${counted}\n`);
	expect(status).toContain(`#${passes.length} `);
	const { used, budget } = state.pressure;
	expect(status).toContain(`\n${formatTokens(used)} of ${formatTokens(budget)} tokens `);
	const answers = state.episodes.filter(({ isAnswer }) => isAnswer);
	const left = answers.reduce((sum, { tokens, evictedTokens }) => sum + tokens - evictedTokens, 0);
	expect(status).toContain(`${answers.length} unmarked answers (${formatTokens(state.scale * left)})`);
	const marked = state.episodes.filter(({ isAnswer }) => !isAnswer).slice(-12);
	for (const { name, kind, tokens, evictedTokens, level } of marked) {
		const row = status.split("\n").find((line) => line.includes(` ${kind.padEnd(4)} ${name} `)) ?? "";
		const sizes = [tokens - evictedTokens, ...(evictedTokens > 0 ? [tokens] : [])];
		expect(row.split(/ +/)).toEqual(
			expect.arrayContaining(sizes.map((each) => formatTokens(state.scale * each))),
		);
		expect(row).toContain(level === 4 ? " evicted " : "");
	}

	const health = await said("/cwl health");
	const row = (metric: string) =>
		new RegExp(`^  ${metric} +(\\S+ ?%?) +(.*)$`, "m").exec(health)?.slice(1) ?? [];
	expect(row("utilisation")).toEqual([
		`${Math.round((100 * used) / budget)} %`,
		"of the budget, in the next request",
	]);
	const held = state.episodes.reduce((sum, { tokens }) => sum + tokens, 0);
	const gone = state.episodes.reduce((sum, { evictedTokens }) => sum + evictedTokens, 0);
	expect(Number.parseInt(row("eviction")[0] ?? "", 10)).toBeLessThanOrEqual(Math.ceil((100 * gone) / held));
	expect(row("regret")[1]).toContain(
		`${formatTokens(state.health.regret.passes.reduce((sum, { regretted }) => sum + regretted, 0))} tokens in `,
	);
	expect(health).toMatch(
		state.alerts.length === 0 ? /^health: no problems found/ : `health: ${state.alerts.length} open`,
	);

	const { nextPass } = state;
	const plan = await said("/cwl plan");
	const due = nextPass.dueIn > 0 ? `due in ${size(nextPass.dueIn)} tokens` : "due with the next request";
	expect(plan).toContain(`the next pass is ${due}`);
	if (nextPass.strips.length > 0) {
		expect(plan).toContain(`${size(nextPass.freed)} tokens of ${nextPass.strips.length} episode`);
		expect(plan).toContain(`${size(nextPass.rewritten)} cached tokens are then sent again`);
	}

	const evicted = state.episodes.find(({ level }) => level > 0);
	const why = await said(`/cwl why ${evicted?.name}`);
	const by = passes.findIndex((_, index) =>
		state.passes[index]?.strips.some(({ episode, tokens }) => episode === evicted?.name && tokens > 0),
	);
	expect(why).toContain(`pass ${by + 1} (cwl) took `);

	const settings = await said("/cwl settings");
	for (const [key, value] of Object.entries(state.settings)) {
		expect(settings).toContain(`\n  ${key}: ${value} (${state.origins[key] ?? "default"})`);
	}
	expect(settings).toContain("lowWater: 0.7 (environment CWL_LOW_WATER)");

	// The agent runs on the Node of its lane.
	expect(settings).toMatch(/^ {2}Node \d+\.\d+\.\d+, model /m);
	const { system, tools } = state.ledger;
	expect(settings).toContain(`system prompt ${formatTokens(system)}, tools ${formatTokens(tools)} tokens`);

	await pi.command("/cwl off");
	expect(await said("/cwl plan")).toMatch(/^cwl is off: no pass is made until \/cwl on\./);
});

interface LoggedPass {
	readonly strips: readonly { readonly items: readonly string[] }[];
}
