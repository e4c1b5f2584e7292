/** Figures that pages show, one file of bench/results for each command, with the day, the commit and the machine of the run. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceTextFile } from "#pi/files";
import type { Report } from "#replay/report";
import { addTrials, type Row, type Rows } from "../arms.ts";
import type { LiveReport } from "../live/page.ts";
import type { Surroundings } from "../surroundings.ts";

export interface KeptFile extends Surroundings {
	readonly command: string;
	/** The fingerprint of what decided (`engine.ts`). */
	readonly engine: string;
	/** The models whose prices the costs have. */
	readonly prices: string;
	readonly rows: Rows;
}

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

/** `live --rehearse`, a folder with results.json for each extension; costs and requests as the server billed them. */
export function keepPeer({ arms, billed }: LiveReport): Row {
	const [arm] = arms;
	if (!arm || !billed) throw new RangeError("a peer is measured by a rehearsal with one arm.");
	const { cost, requests: calls, largest } = billed;
	return { ...addTrials(arm.trials), cost, calls, largest };
}

/** `cwl replay`, over requests under pressure. */
export function keepReplay({ sessions, policies }: Report): Rows {
	const share = ({ kept, needed }: { readonly kept: number; readonly needed: number }) =>
		kept / Math.max(1, needed);
	const kept = policies.flatMap(
		({ policy, pressed, grounding, thinking, looks, intervals, ...more }): [string, Row][] => {
			if (!pressed) return [];
			const { edit, own, name, conclusion } = grounding;
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
						own: share(own),
						names: share(name),
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
