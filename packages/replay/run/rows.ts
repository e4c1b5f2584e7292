/**
 * Replayed sessions as rows of a file, one line a session, so that a replay can be shared out, stopped, continued and
 * joined. The first line says what was replayed and how; rows of other sessions or settings do not go with it.
 */
import { appendFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { fnv1a } from "#core";
import { CwlError } from "#pi";
import { fileError } from "../readers/lines.ts";
import type { JobOutcome } from "./jobs.ts";
import type { RunPlan } from "./run.ts";

/** A part of the sessions of a replay: the `number`-th, from 1, of `of` parts. Sessions are dealt out in turn. */
export interface Shard {
	readonly number: number;
	readonly of: number;
}

export const wholeRun: Shard = { number: 1, of: 1 };

/** Reads `3/16`. @throws CwlError `bad-shard` */
export function parseShard(text: string): Shard {
	const [, number, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
	const shard = { number: Number(number), of: Number(of) };
	if (shard.number >= 1 && shard.number <= shard.of) return shard;
	throw new CwlError(
		"bad-shard",
		`shard is ${JSON.stringify(text)}: use NUMBER/OF, such as 3/16, with a number from 1 to the number of shards.`,
	);
}

/** Returns true if the session at this place of the plan, from 0, belongs to the shard. */
export function isInShard(place: number, { number, of }: Shard): boolean {
	return place % of === number - 1;
}

/** Rises when the figures of a row change. */
const VERSION = 2;

/** The first line. */
export interface RowsHeader<Settings = unknown> {
	readonly version: typeof VERSION;
	readonly type: "cwl-replay-rows";
	/** The settings that the figures depend on, as plain data. */
	readonly settings: Settings;
	/** Names the planned sessions. */
	readonly plan: number;
	readonly planned: number;
	readonly found: Pick<RunPlan, "problems" | "damage">;
}

interface Row {
	/** The session's place in the plan. */
	readonly place: number;
	readonly outcome: JobOutcome;
}

export interface RowsFile<Settings = unknown> {
	readonly header: RowsHeader<Settings>;
	readonly outcomes: ReadonlyMap<number, JobOutcome>;
}

export function headerFor({ jobs, problems, damage }: RunPlan, settings: unknown): RowsHeader {
	const plan = fnv1a(jobs.map(({ name }) => name).join("\n"));
	return {
		version: VERSION,
		type: "cwl-replay-rows",
		settings,
		plan,
		planned: jobs.length,
		found: { problems, damage },
	};
}

/**
 * Opens a file of rows to add to. What a stopped run left there is kept, except for a last line that was cut short.
 * @throws CwlError `other-rows` if it holds rows of another replay, `bad-rows`, `not-readable`
 */
export async function openRows(path: string, header: RowsHeader): Promise<ReadonlyMap<number, JobOutcome>> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		const problem = fileError(path, error);
		if (problem.code === "not-found") return "";
		throw problem;
	});
	const whole = text.slice(0, text.lastIndexOf("\n") + 1);
	if (whole === "") {
		await replaceFile(path, `${JSON.stringify(header)}\n`);
		return new Map();
	}
	const kept = parseRows(path, whole);
	checkSame(path, kept.header, header);
	if (whole.length < text.length) await replaceFile(path, whole);
	return kept.outcomes;
}

/** Adds a row at once, so that rows of several threads do not mix. */
export function addRow(path: string, place: number, outcome: JobOutcome): void {
	const row: Row = { place, outcome };
	appendFileSync(path, `${JSON.stringify(row)}\n`);
}

/**
 * Joins files of rows, complete or not; a session that is in several counts once.
 * @throws CwlError `other-rows` if they are of different replays, `bad-rows`, `not-found`, `not-readable`
 */
export async function mergeRows<Settings>(paths: readonly string[]): Promise<RowsFile<Settings>> {
	const outcomes = new Map<number, JobOutcome>();
	let first: RowsHeader<Settings> | undefined;
	for (const path of paths) {
		const text = await readFile(path, "utf8").catch((error: unknown) => {
			throw fileError(path, error);
		});
		const rows = parseRows<Settings>(path, text.slice(0, text.lastIndexOf("\n") + 1));
		first ??= rows.header;
		checkSame(path, rows.header, first);
		for (const [place, outcome] of rows.outcomes) outcomes.set(place, outcome);
	}
	if (!first) throw new CwlError("no-path", "name the files of rows that cwl replay --rows wrote.");
	return { header: first, outcomes };
}

function checkSame(path: string, found: RowsHeader, wanted: RowsHeader) {
	if (JSON.stringify(found) === JSON.stringify(wanted)) return;
	const what = found.plan === wanted.plan ? "with other settings" : "of other sessions";
	throw new CwlError(
		"other-rows",
		`${path}: holds rows ${what}; name another file, or replay with the same flags.`,
	);
}

function parseRows<Settings>(path: string, text: string): RowsFile<Settings> {
	const [head = "", ...lines] = text.split("\n").slice(0, -1);
	try {
		const header: RowsHeader<Settings> = JSON.parse(head);
		if (header.type !== "cwl-replay-rows" || header.version !== VERSION)
			throw new SyntaxError("its first line is no header of this version");
		const rows = lines.map((line): Row => JSON.parse(line));
		return { header, outcomes: new Map(rows.map(({ place, outcome }) => [place, outcome])) };
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new CwlError(
			"bad-rows",
			`${path}: is no file of cwl replay --rows (${error.message}); leave it out.`,
		);
	}
}

/** A process that is killed here leaves the old file or the new one. */
async function replaceFile(path: string, text: string) {
	await writeFile(`${path}.new`, text);
	await rename(`${path}.new`, path);
}
