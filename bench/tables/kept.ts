/** Figures that pages show, one file of bench/results for each command, with the day, the commit and the machine of the run. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceTextFile } from "#pi/files";
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

/** @throws RangeError for a name without a file */
export function keptFile(kept: Kept, name: string): KeptFile {
	const file = kept.get(name);
	if (file) return file;
	throw new RangeError(`there is no kept file ${name}.`);
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

/**
 * The row of a rehearsal with one arm; costs, calls, minutes and requests as the server counted them.
 * @throws RangeError if it was made by other flags than `command` has
 */
export function keepPeer({ arms, billed, flags }: LiveReport, command: string): Row {
	const [arm] = arms;
	const wanted = command.match(/--(?:source|tasks|seed|budget|added) \S+/g) ?? [];
	if (!arm || !billed || !wanted.every((flag) => `${flags} `.includes(`${flag} `)))
		throw new RangeError(`a peer is measured by ${command}, and not by live ${flags}.`);
	const { cost, minutes, requests: calls, largest } = billed;
	return { ...addTrials(arm.trials), cost, minutes, calls, largest };
}
