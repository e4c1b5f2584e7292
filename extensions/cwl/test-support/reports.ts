/** The report of a session in pi and that of the shell, which give the same figures. */

import { expect } from "vitest";
import type { StateReport } from "#pi/health";
import type { RpcSession } from "./rpc-session.ts";
import { readState } from "./state.ts";
import type { startTrial } from "./trial.ts";

type Trial = Awaited<ReturnType<typeof startTrial>>;

export const rewrittenOf = ({ number, rewritten }: StateReport["passes"][number]) => [number, rewritten];

/** Figures of the passes since the beginning of the session, which neither a compaction nor a resume changes. */
export function pastOf({ health: { regret } }: Pick<StateReport, "health">) {
	const { kept, calls, passes } = regret;
	const looks = calls.map(({ path, pass, times }) => ({ path, pass, times }));
	const taken = passes.map((pass) => [pass.pass, pass.taken]);
	return { kept, looks, taken };
}

/** Figures of the same kind that are made of sizes of texts, which a report rounds one by one. */
export function sumsOf({ health: { regret, evicted, compressionRatio } }: Pick<StateReport, "health">) {
	const { again, tokens } = regret;
	return { again, tokens, share: evicted.share, compressionRatio: compressionRatio ?? 0 };
}

type Data = Readonly<Record<string, unknown>>;
const isData = (value: unknown): value is Data =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Keys whose figures are sizes of texts, or made of them. The shell counts these texts again, as large as it takes the provider to count them. */
const SIZES =
	/tokens|rate|recent|before|largest|share|ratio|utilisation|again|taken|regretted|kept|cost|saved|all|readable|evicted|forfeited/i;

/** The difference that rounding and small texts make to a figure of this size. */
const errorOf = (figure: number) => (figure > 20 ? 25 : figure > 1 ? 1 : 0.01);

export const isSameFigure = (key: string, a: number, b: number) =>
	a === b || (SIZES.test(key) && Math.abs(a - b) <= 0.03 * Math.abs(a) + errorOf(Math.abs(a)));

/** The same key of the same subject has the same value in both; null is a figure that one of them does not have. */
function expectSameFigures(a: Data, b: Data, path = "") {
	for (const [key, mine] of Object.entries(a)) {
		const other = b[key];
		const at = `${path}.${key}`;
		if (isData(mine) && isData(other)) expectSameFigures(mine, other, at);
		if (Array.isArray(mine) && Array.isArray(other)) expectSameRows(mine, other, at);
		if (typeof mine === "number" && typeof other === "number")
			expect(isSameFigure(key, mine, other), `${at}: ${mine}, ${other}`).toBe(true);
		if (typeof mine === "string" || typeof mine === "boolean")
			if (typeof other === typeof mine) expect(other, at).toBe(mine);
	}
}

/** Rows are matched by their names or numbers, else by their places. */
function expectSameRows(mine: readonly unknown[], others: readonly unknown[], path: string) {
	for (const [place, row] of mine.entries()) {
		if (!isData(row)) continue;
		const key = ["number", "name"].find((each) => each in row);
		const other =
			key === undefined ? others[place] : others.filter(isData).find((each) => each[key] === row[key]);
		if (isData(other)) expectSameFigures(row, other, `${path}.${key ? row[key] : place}`);
	}
}

/** Parts about something else: the request before the one that the rest is about, changes, and the requests that lost thinking. */
const OTHERS: readonly string[] = ["lastTurn", "trend", "droppedThinking"];

/** No part of a report repeats a figure of the whole under the same name with another value. */
function expectOneMeaning(data: unknown, path = "") {
	for (const [key, part] of Object.entries(data ?? {})) {
		if (typeof part !== "object") continue;
		expectOneMeaning(part, `${path}.${key}`);
		if (!isData(data) || !isData(part) || OTHERS.includes(key)) continue;
		for (const [name, value] of Object.entries(part))
			if (typeof value !== "object" && typeof data[name] === typeof value)
				expect(value, `${path}.${key}.${name} and ${path}.${name}`).toBe(data[name]);
	}
}

/** A trend ends where the other figures are, and began with figures that a request can have. */
function expectTrend({ health, pressure }: StateReport) {
	const { trend, burn, evicted, toolResults } = health;
	const rate = burn.recent ?? 0;
	expect(rate).toBe(pressure.velocity);
	if (!trend) return;
	const began = {
		burnRate: rate - trend.burnRate,
		evictionRate: evicted.itemsPerRequest - trend.evictionRate,
		compressionRatio: (health.compressionRatio ?? Infinity) - trend.compressionRatio,
		bloat: toolResults.share - trend.bloat,
		utilization: pressure.level - trend.utilization,
	};
	for (const [name, figure] of Object.entries(began)) expect(figure, name).toBeGreaterThanOrEqual(-1e-6);
	expect(began.compressionRatio).toBeGreaterThan(0.99);
}

/** `/cwl report --json` and `cwl report --json` of one moment. */
export async function expectOneReport({ run }: Pick<Trial, "run">, pi: RpcSession) {
	const state = await readState(pi);
	const report = JSON.parse((await run(["report", await pi.file(), "--json"])).stdout);
	expectSameFigures({ ...state, version: report.version }, report);
	for (const pass of state.passes) {
		const { sent, rewritten }: typeof pass = report.passes.find(
			({ number }: typeof pass) => number === pass.number,
		);
		expect({ sent, rewritten }, `pass ${pass.number}`).toEqual({
			sent: pass.sent,
			rewritten: pass.rewritten,
		});
	}
	expectTrend(state);
	// A compaction may cut an episode: its rest has a name of its own and says which one it is from.
	const names = report.episodes.map(({ name }: { readonly name: string }) => name);
	for (const { name, restOf } of state.episodes) expect(names).toContain(restOf ?? name);
	expectOneMeaning(state);
	expectOneMeaning(report);
	// No id of a message is a name.
	for (const data of [state, report])
		expect(JSON.stringify(data)).not.toMatch(/" (assistant|toolResult|user|custom)-/);
	const { budget } = state.pressure;
	for (const pass of [...state.passes, ...report.passes]) expect(pass.budget).toBe(budget);
	expect([state.pressure.ceiling, report.budget]).toEqual([budget, budget]);
	return { state, report };
}

export const sizesOf = ({ passes }: Pick<StateReport, "passes">) =>
	passes.map(({ before, after }) => [before, after]);
