/** One session, or several joined into one, under all arms: read once, counted once. */
import { basename, dirname, parse } from "node:path";
import { CwlError } from "#pi";
import { findNeeds } from "../metrics/needs.ts";
import { readSession } from "../readers/registry.ts";
import type { Damage, RecordedSession, SessionPlace } from "../readers/session-reader.ts";
import { addMissingThinking } from "../recording/added-thinking.ts";
import type { AnnotationCount } from "../recording/annotation.ts";
import { type Chaining, chainSessions } from "../recording/chain-sessions.ts";
import { createSizes, openRecording, type Recording, sum } from "../recording/recording.ts";
import { createRequestFile } from "../simulation/request-file.ts";
import { replayToResult, type SessionResult } from "./session-result.ts";
import type { ReplaySetup } from "./setup.ts";

/** One session to replay, from one place or from several that are chained. */
export interface Job {
	/** Told apart from those of the other sessions. */
	readonly name: string;
	readonly places: readonly SessionPlace[];
}

export interface Problem {
	readonly code: string;
	readonly message: string;
}

/** A session under every arm, in the order of the arms. Plain data. */
export interface SessionReplay {
	readonly session: string;
	/** Of its file; of several chained, their names joined by a plus sign. */
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

/** One job for each session, or for each chain of them; sessions of one name are told apart by a number. */
export function planJobs(places: readonly SessionPlace[], chaining: Chaining | undefined): readonly Job[] {
	const names = new Map<string, number>();
	const distinct = (name: string) => {
		const use = (names.get(name) ?? 0) + 1;
		names.set(name, use);
		return use === 1 ? name : `${name}~${use}`;
	};
	if (chaining === undefined)
		return places.map((place) => ({ name: distinct(nameSession(place)), places: [place] }));
	const chains = new Map<string, SessionPlace[]>();
	for (const place of places) {
		const key = chaining === "all" ? "all" : dirname(place.path);
		const chain = chains.get(key);
		if (chain) chain.push(place);
		else chains.set(key, [place]);
	}
	return [...chains].map(([key, chain]) => ({ name: distinct(`chain-${basename(key)}`), places: chain }));
}

/** A folder of events is called like all others: its conversation is named by the folder around it. */
function nameSession({ path, line }: SessionPlace): string {
	// Names are those of files too, where requests are written; an instance may be called by a path.
	if (line) return line.name.replaceAll(/[/\\]/g, "-");
	const { name, dir } = parse(path);
	return name === "events" ? basename(dir) : name;
}

/** Replay one job. Files that cannot be read become problems; a session counts under every arm or not at all. */
export async function replayJob(job: Job, lab: ReplaySetup, signal: AbortSignal): Promise<JobOutcome> {
	const sessions: RecordedSession[] = [];
	const problems: Problem[] = [];
	for (const place of job.places) {
		const session = await open(place);
		if ("code" in session) problems.push(session);
		else sessions.push(session);
	}
	const [only] = sessions;
	if (!only) return { replay: undefined, damage: [], problems };
	const session = job.places.length === 1 ? only : chainSessions(sessions, job.name);
	const recording = openRecording(withThinking(session, lab), lab.count, lab.annotation);
	const replay = await replayRecording(recording, job.name, lab, signal);
	return { replay, damage: session.damage, problems };
}

function withThinking(session: RecordedSession, { addsThinking, count }: ReplaySetup): RecordedSession {
	if (!addsThinking) return session;
	const sizes = createSizes(count);
	return { ...session, messages: addMissingThinking(session.messages, (message) => sum(sizes(message))) };
}

async function open({ path, line }: SessionPlace): Promise<RecordedSession | Problem> {
	try {
		return await readSession(path, line);
	} catch (error) {
		if (error instanceof CwlError) return { code: error.code, message: error.message };
		throw error;
	}
}

/** Replay one session under every arm; undefined when the signal ended it before. */
export async function replayRecording(
	recording: Recording,
	session: string,
	lab: ReplaySetup,
	signal: AbortSignal,
): Promise<SessionReplay | undefined> {
	const { requests, system } = lab;
	const recorded = recording.session.messages;
	const firstPressed = findFirstPressed(recording, lab);
	const needs = findNeeds(recording, firstPressed);
	const results: SessionResult[] = [];
	for (const arm of lab.arms) {
		const name = `${session}.${arm.name}`;
		const file = requests && createRequestFile({ ...requests, name, system, recorded });
		const result = await replayToResult(recording, { ...lab, arm, needs, firstPressed }, file, signal);
		if (!result) {
			file?.discard();
			return undefined;
		}
		file?.finish();
		results.push(result);
	}
	const { isAnnotated, annotationCount, turns } = recording;
	const last = turns.at(-1);
	const tokens = last ? last.historyTokens + last.outputTokens : 0;
	const { format } = recording.session;
	return {
		session,
		format,
		isAnnotated,
		annotationCount,
		isPressed: firstPressed < turns.length,
		tokens,
		results,
	};
}

/** Index of the first request under pressure; past the end when there is none. */
function findFirstPressed({ turns }: Recording, { pressure, fixed }: ReplaySetup): number {
	const first = turns.findIndex(({ historyTokens }) => fixed.system + fixed.tools + historyTokens > pressure);
	return first < 0 ? turns.length : first;
}
