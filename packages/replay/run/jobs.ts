/** One session under all arms: read once, counted once. */
import { basename, parse } from "node:path";
import { CwlError } from "#pi";
import { findNeeds } from "../metrics/needs.ts";
import { readSession } from "../readers/registry.ts";
import type { Damage, RecordedSession, SessionPlace } from "../readers/session-reader.ts";
import type { AnnotationCount } from "../recording/annotation.ts";
import { openRecording, type Recording } from "../recording/recording.ts";
import { createRequestFile } from "./request-file.ts";
import { replayToResult, type SessionResult } from "./session-result.ts";
import type { ReplaySetup } from "./setup.ts";

/** One session to replay. */
export interface Job {
	/** Unlike those of all other sessions of the run. */
	readonly name: string;
	readonly place: SessionPlace;
}

export interface Problem {
	readonly code: string;
	readonly message: string;
}

/** A session under every arm, in the order of the arms. Plain data. */
export interface SessionReplay {
	readonly session: string;
	/** The format of its file. */
	readonly format: string;
	readonly isAnnotated: boolean;
	readonly annotationCount: AnnotationCount | undefined;
	readonly isPressed: boolean;
	/** Tokens of the whole session, prompt and tools not included. */
	readonly tokens: number;
	readonly results: readonly SessionResult[];
}

export interface JobOutcome {
	/** Undefined when nothing could be replayed, or when the signal ended it. */
	readonly replay: SessionReplay | undefined;
	readonly damage: readonly Damage[];
	readonly problems: readonly Problem[];
}

/** One job for each session; a number tells sessions of one name apart. */
export function planJobs(places: readonly SessionPlace[]): readonly Job[] {
	const uses = new Map<string, number>();
	return places.map((place) => {
		const name = nameSession(place);
		const use = (uses.get(name) ?? 0) + 1;
		uses.set(name, use);
		return { name: use === 1 ? name : `${name}~${use}`, place };
	});
}

/** All folders of events have one name: the folder around it names the conversation. */
function nameSession({ path, line }: SessionPlace): string {
	// Names become file names where requests are written, and the name of an instance may be a path.
	if (line) return line.name.replaceAll(/[/\\]/g, "-");
	const { name, dir } = parse(path);
	return name === "events" ? basename(dir) : name;
}

/** Replays one job. A file that cannot be read becomes a problem; a session counts under every arm or not at all. */
export async function replayJob(
	{ name, place: { path, line } }: Job,
	setup: ReplaySetup,
	signal: AbortSignal,
): Promise<JobOutcome> {
	let session: RecordedSession;
	try {
		session = await readSession(path, line);
	} catch (error) {
		if (!(error instanceof CwlError)) throw error;
		const { code, message } = error;
		return { replay: undefined, damage: [], problems: [{ code, message }] };
	}
	const recording = openRecording(session, setup.count, setup.annotation);
	const replay = await replayRecording(recording, name, setup, signal);
	return { replay, damage: session.damage, problems: [] };
}

/** Replays one session under every arm; undefined when the signal ended it before. */
async function replayRecording(
	recording: Recording,
	session: string,
	setup: ReplaySetup,
	signal: AbortSignal,
): Promise<SessionReplay | undefined> {
	const { requests, system } = setup;
	const { isAnnotated, annotationCount, turns } = recording;
	const { format, messages: recorded } = recording.session;
	const firstPressed = findFirstPressed(recording, setup);
	const needs = findNeeds(recording, firstPressed);
	const results: SessionResult[] = [];
	for (const arm of setup.arms) {
		const name = `${session}.${arm.name}`;
		const file = requests && createRequestFile({ ...requests, name, system, recorded });
		const result = await replayToResult(recording, { ...setup, arm, needs, firstPressed }, file, signal);
		if (!result) {
			file?.discard();
			return undefined;
		}
		file?.finish();
		results.push(result);
	}
	const last = turns.at(-1);
	const tokens = last ? last.historyTokens + last.outputTokens : 0;
	const isPressed = firstPressed < turns.length;
	return { session, format, isAnnotated, annotationCount, isPressed, tokens, results };
}

/** Index of the first request under pressure; past the end when there is none. */
function findFirstPressed({ turns }: Recording, { pressure, fixed }: ReplaySetup): number {
	const first = turns.findIndex(({ historyTokens }) => fixed.system + fixed.tools + historyTokens > pressure);
	return first < 0 ? turns.length : first;
}
