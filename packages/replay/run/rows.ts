/**
 * Replayed sessions as rows of a file, one line a session, so that a replay can be divided, stopped, continued and
 * joined. The first line says what was replayed and how; rows of other sessions or settings are refused.
 */

import { appendFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { fnv1a } from "#basics";
import { CwlError } from "#pi";
import { fileError } from "../readers/lines.ts";
import type { FoundSessions } from "../readers/session-files.ts";
import type { Job, JobOutcome } from "./jobs.ts";
import type { RunSettings } from "./setup.ts";

/** A part of the sessions of a replay: the `number`-th, from 1, of `of` parts. Sessions are dealt out in turn. */
export interface Shard {
	readonly number: number;
	readonly of: number;
}

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

/** Rises when the figures of a row change. */
const VERSION = 8;

/** The first line. */
export type RowsHeader = ReturnType<typeof headerFor>;

type Found = Omit<FoundSessions, "places">;

/** The outcomes of sessions, by their place in the plan. */
export type Outcomes = Map<number, JobOutcome>;

export function headerFor(jobs: readonly Job[], { problems, damage }: Found, settings: RunSettings) {
	/** Names the planned sessions. */
	const plan = fnv1a(jobs.map(({ name }) => name).join("\n"));
	const type = "cwl-replay-rows";
	return { version: VERSION, type, settings, plan, planned: jobs.length, found: { problems, damage } };
}

/**
 * Opens a file of rows to add to. What a stopped run left there is kept, except for a last line that was cut short.
 * @throws CwlError `other-rows` if it holds rows of another replay, `bad-rows`, `not-readable`
 */
export async function openRows(path: string, header: RowsHeader): Promise<Outcomes> {
	const text = await readText(path).catch((error: unknown) => {
		if (error instanceof CwlError && error.code === "not-found") return "";
		throw error;
	});
	const whole = wholeLines(text) || `${JSON.stringify(header)}\n`;
	const { outcomes } = parseRows(path, whole, header);
	if (whole.length !== text.length) {
		// A process that is killed here leaves the old file or the new one.
		await writeFile(`${path}.new`, whole);
		await rename(`${path}.new`, path);
	}
	return outcomes;
}

/** Adds a row at once, so that rows of several threads do not mix. */
export function addRow(path: string, place: number, outcome: JobOutcome): void {
	appendFileSync(path, `${JSON.stringify({ place, outcome })}\n`);
}

/**
 * Reads a file of rows, complete or not; `wanted` is the header that it must have.
 * @throws CwlError `other-rows` if it is of another replay, `bad-rows`, `not-found`, `not-readable`
 */
export async function readRows(path: string, wanted: RowsHeader | undefined) {
	return parseRows(path, wholeLines(await readText(path)), wanted);
}

async function readText(path: string): Promise<string> {
	return await readFile(path, "utf8").catch((error: unknown) => {
		throw fileError(path, error);
	});
}

/** A last line without an end was cut short. */
function wholeLines(text: string): string {
	return text.slice(0, text.lastIndexOf("\n") + 1);
}

function parseRows(path: string, text: string, wanted: RowsHeader | undefined) {
	const [head = "", ...lines] = text.split("\n").slice(0, -1);
	let header: RowsHeader;
	let outcomes: Outcomes;
	try {
		header = JSON.parse(head);
		if (header.type !== "cwl-replay-rows" || header.version !== VERSION)
			throw new SyntaxError("its first line is no header of this version");
		outcomes = new Map(lines.map((line) => JSON.parse(line)).map(({ place, outcome }) => [place, outcome]));
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new CwlError(
			"bad-rows",
			`${path}: is no file of cwl replay --rows (${error.message}); leave it out.`,
		);
	}
	if (wanted && JSON.stringify(header) !== JSON.stringify(wanted)) {
		const what = header.plan === wanted.plan ? "with other settings" : "of other sessions";
		throw new CwlError(
			"other-rows",
			`${path}: holds rows ${what}; name another file, or replay with the same flags.`,
		);
	}
	return { header, outcomes };
}
