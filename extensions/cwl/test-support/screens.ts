/** The texts of all screens at one moment, and what has to be the same on all of them. */

import { expect } from "vitest";
import { formatTokens } from "#basics";
import { sumTokens } from "#core/transcript";
import type { StateReport } from "#pi/health";
import { momentText, showTokens, WHILE_OFF } from "#pi/screen";
import type { RpcSession } from "./rpc-session.ts";
import { readState, textOf } from "./state.ts";

/** A notice that a move in the session tree brings, a moment later. */
const ABOUT_FILES = /^cwl: \d+ files? that this session knows ha/;

/** The texts of all screens at one moment. */
export async function readScreens(pi: RpcSession) {
	const said = async (command: string) => {
		const notices = await pi.command(command);
		return textOf(notices.filter(({ text }) => !ABOUT_FILES.test(text))).replace(/^cwl: /, "");
	};
	const state = await readState(pi);
	const status = await said("/cwl");
	const footer = pi.status();
	return { state, status, footer, plan: await said("/cwl plan"), health: await said("/cwl health") };
}

export type Screens = Awaited<ReturnType<typeof readScreens>>;

/** Every screen names the same size, budget, system prompt and tools, passes and next pass. */
export function expectOneTruth({ state, status, footer, plan, health }: Screens) {
	const { used, budget, source } = state.pressure;
	const isKnown = source === "reported";
	const show = (tokens: number) => showTokens(tokens, isKnown);
	const isOn = state.settings.enabled === "true";
	if (isOn) expect(footer).toContain(`cwl ${show(used)}/${formatTokens(budget)} `);
	else expect(footer).toBe(`cwl off · requests send all ${show(used)} tokens`);
	expect(status).toContain(`\n${show(used)} of ${formatTokens(budget)} tokens `);
	expect(health).toMatch(new RegExp(`^  utilisation +${Math.round((100 * used) / budget)} %`, "m"));
	const parts = Object.values(state.ledger).reduce((sum, tokens) => sum + tokens, -state.ledger.total);
	expect(parts).toBe(used);
	const components = state.health.components.filter(({ component }) => component !== "output");
	const sum = components.reduce((tokens, { used: part }) => tokens + part, state.ledger.unassigned);
	if (isKnown) expectNear(sum, used, 50);
	const { act, expl, unannotated } = state.ledger;
	const rows = state.episodes.reduce((tokens, row) => tokens + row.tokens - row.evictedTokens, 0);
	const parted = act + expl + unannotated;
	expect(Math.abs(rows - parted), `${rows}, ${parted}`).toBeLessThan(0.01 * parted + 25);
	for (const [name, tokens] of Object.entries(state.ledger)) expect(tokens, name).toBeGreaterThanOrEqual(0);
	for (const name of ["system", "tools"] as const) {
		const size = show(state.ledger[name]);
		expect(status).toContain(`■ ${name} ${size} `);
		expect(health).toMatch(new RegExp(`^  ${name} .*\\b${size.replace("~", "")}( of|  tokens)`, "m"));
	}
	const [next] = plan.split("\n");
	expect(status.replace(/\n/g, " ")).toContain(next);
	expect(health.replace(/\n */g, " ")).toContain(next);
	for (const { text } of state.alerts) expect(health.replace(/\n */g, " ")).toContain(text);
	expect(plan).not.toMatch(/: ~?-\d/);
	// What has no row of its own in the panel has none in the plan.
	for (const { name } of state.episodes.filter(({ isAnswer }) => isAnswer))
		expect(plan).not.toContain(`\n  ${name}: `);
	const [nearest] = state.nextPasses;
	const size = nearest && `${nearest.effect ? "" : "likely "}${show(nearest.freed)} less`;
	if (nearest) expect(`${footer} `).toContain(` · pass ${momentText(nearest, show)}: ${size} `);
	else expect(footer).not.toMatch(/ · pass (at|when|within|once) /);
	for (const pass of state.passes.slice(-8)) {
		const sizes = [pass.before, pass.sent ?? pass.after].map((tokens) => showTokens(tokens, pass.isKnown));
		expect(status).toMatch(new RegExp(`#${pass.number} +${sizes.join(" → ")} `));
	}
	for (const { name, level, evictedTokens, tokens } of state.episodes) {
		expect(level === 4, name).toBe(tokens > 0 && evictedTokens >= tokens);
		if (isKnown && isOn) expectNoMore(state, name, tokens, evictedTokens);
	}
	for (const { effect, strips } of state.nextPasses) {
		const reasoning = sumTokens(strips.filter(({ level }) => level === 1));
		if (effect) expect(reasoning).toBeLessThan(1.05 * effect.thinking + 30);
	}
	const well = state.alerts.length === 0 ? "No alerts." : `${state.alerts[0]?.grade}: `;
	const first = isOn ? well : `cwl is off: ${WHILE_OFF}.`;
	for (const screen of [status, health]) expect(screen.replace(/\n */g, " ")).toContain(first);
	if (isOn) return;
	expect(state.nextPasses).toEqual([]);
	expect(next).toBe(`Next: the request sends all ${show(used)} tokens; no pass is made until /cwl on.`);
	// Thinking that a pass has made invalid stays away.
	expect(state.episodes.filter(({ level }) => level > 1)).toEqual([]);
}

/** Passes took no more of an episode than has left of it, and those to come take no more than is left; a line may be as long as that. */
function expectNoMore({ passes, nextPasses }: StateReport, name: string, tokens: number, gone: number) {
	const takenIn = ({ strips }: Pick<StateReport["passes"][number], "strips">) =>
		strips.reduce((sum, strip) => sum + (strip.episode === name ? strip.tokens : 0), 0);
	const taken = passes.reduce((sum, pass) => sum + takenIn(pass), 0);
	expect(taken, `taken of ${name}`).toBeLessThan(1.05 * gone + 30);
	for (const pass of nextPasses)
		expect(takenIn(pass), `to be taken of ${name}`).toBeLessThan(1.05 * (tokens - gone) + 30);
}

export function expectNear(tokens: number, expected: number, error: number) {
	expect(Math.abs(tokens - expected), `${tokens}, ${expected}`).toBeLessThan(0.03 * expected + error);
}
