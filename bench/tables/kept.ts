/** Figures that pages show, one file of bench/results for each command, with the day, the commit and the machine of the run. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceTextFile } from "#pi/files";
import type { Report } from "#replay/report";
import type { ChainReport } from "../commits/command.ts";
import type { LiveReport } from "../live/page.ts";
import type { ConditionReport, SingleSessionReport } from "../single-session/report.ts";
import type { Surroundings } from "../surroundings.ts";

export interface KeptFile extends Surroundings {
	readonly command: string;
	/** The fingerprint of what decided (`engine.ts`). */
	readonly engine: string;
	/** The models whose prices the costs have. */
	readonly prices: string;
	/** Rows by their names; means over seeds, sizes in tokens, costs in dollars or as a share of no eviction. */
	readonly rows: Rows;
}

/** The figures of a condition or policy. */
export type Row = Readonly<Record<string, number>>;
export type Rows = Readonly<Record<string, Row>>;

/** All kept files by their names. */
export type Kept = ReadonlyMap<string, KeptFile>;

const FOLDER = join(import.meta.dirname, "..", "results");

export async function readKept(): Promise<Kept> {
	const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".json"));
	const files = names.map(async (name): Promise<[string, KeptFile]> => {
		return [name.slice(0, -".json".length), JSON.parse(await readFile(join(FOLDER, name), "utf8"))];
	});
	return new Map(await Promise.all(files));
}

export async function writeKept(name: string, file: KeptFile): Promise<void> {
	await replaceTextFile(join(FOLDER, `${name}.json`), `${JSON.stringify(file, undefined, "\t")}\n`);
}

/** @throws RangeError naming what the kept figures lack */
export function rowOf(kept: Kept, file: string, name: string): Row {
	const rows = kept.get(file)?.rows ?? {};
	const row = name === BEST ? rows[bestCompaction(rows)] : rows[name];
	if (row) return row;
	throw new RangeError(`the kept figures have no ${file}:${name}.`);
}

/** The name of the row with compaction at its best budget. */
const BEST = "compaction-best";

/** Of the most tasks that compaction solves under any budget. */
const GOOD_SHARE = 0.95;

/** The cheapest budget under which compaction solves at least 95 % of what it solves under its best one. */
export function bestCompaction(rows: Rows): string {
	const sizes = Object.entries(rows).filter(([name]) => /^compaction-\d+k$/.test(name));
	const most = Math.max(...sizes.map(([, { solved = 0 }]) => solved));
	const good = sizes.filter(([, { solved = 0 }]) => solved >= GOOD_SHARE * most);
	const [best] = good.toSorted(([, a], [, b]) => (a.cost ?? 0) - (b.cost ?? 0));
	return best?.[0] ?? BEST;
}

const MORE = 300;
/** Dollars for a token of claude-sonnet-4-6. */
const OUTPUT_PRICE = 15e-6;

export const keepTasks = ({ conditions }: SingleSessionReport): Rows =>
	Object.fromEntries(conditions.map((condition) => [condition.name, keepCondition(condition)]));

function keepCondition(condition: ConditionReport): Row {
	const { tasks, solved, requests, peakContext, reexplorations, cachedShare, spread, runs } = condition;
	const costs = runs.map(({ cost }) => cost.anthropic);
	return {
		tasks,
		solved,
		solvedSpread: spread.solved,
		cost: condition.cost.anthropic,
		/** With 300 output tokens more for each call that are paid and not kept. */
		costPaid: condition.cost.anthropic + requests * MORE * OUTPUT_PRICE,
		costLow: Math.min(...costs),
		costHigh: Math.max(...costs),
		openai: condition.cost.openai,
		calls: requests,
		minutes: condition.modeledSeconds / 60,
		largest: peakContext,
		readAgain: reexplorations,
		tokens: condition.tokensProcessed,
		cached: cachedShare,
		seeds: runs.length,
	};
}

/** `live --rehearse`, a folder with results.json for each extension; costs and requests as the server billed them. */
export function keepPeer({ arms, billed }: LiveReport): Row {
	const [arm] = arms;
	if (!arm || !billed) throw new RangeError("a peer is measured by a rehearsal with one arm.");
	const { trials } = arm;
	return {
		tasks: trials.length,
		solved: trials.filter(({ solved }) => solved).length,
		cost: billed.cost,
		calls: billed.requests,
		largest: billed.largest,
		summaries: trials.reduce((sum, { summaries }) => sum + summaries, 0),
	};
}

export const keepChains = (chains: readonly ChainReport[]): Rows =>
	Object.fromEntries(
		chains.flatMap(({ repository, runs }) =>
			runs.map((run): [string, Row] => [
				`${repository} ${run.name}`,
				{
					tasks: run.tasks,
					solved: run.solved,
					cost: run.cost.anthropic,
					calls: run.requests,
					minutes: run.modeledSeconds / 60,
					largest: run.peakContext,
					reads: run.reads,
				},
			]),
		),
	);

/** `cwl replay`, over requests under pressure. */
export function keepReplay({ sessions, policies }: Report): Rows {
	const share = ({ kept, needed }: { readonly kept: number; readonly needed: number }) =>
		kept / Math.max(1, needed);
	const kept = policies.flatMap(
		({ policy, pressed, grounding, thinking, looks, intervals, ...more }): [string, Row][] => {
			if (!pressed) return [];
			const { edit, editCross, self, ident, conclusion } = grounding;
			const [costLow = Number.NaN, costHigh = Number.NaN] = intervals.costComparedToNone ?? [];
			const [editsLow = Number.NaN, editsHigh = Number.NaN] = intervals.edit ?? [];
			return [
				[
					policy,
					{
						cost: more.costComparedToNone ?? Number.NaN,
						costLow,
						costHigh,
						editsLow,
						editsHigh,
						charged: more.chargedCostComparedToNone ?? Number.NaN,
						looks: looks.count,
						passes: pressed.passes,
						breaks: pressed.prefixBreaks,
						overBudget: pressed.overBudget,
						dearer: more.sessionsMoreExpensive ?? 0,
						edits: share(edit),
						across: share(editCross),
						own: share(self),
						names: share(ident),
						conclusions: share(conclusion),
						thinking: thinking.all === 0 ? 1 : thinking.readable / thinking.all,
					},
				],
			];
		},
	);
	return {
		sessions: { replayed: sessions.replayed, pressed: sessions.pressed },
		...Object.fromEntries(kept),
	};
}
