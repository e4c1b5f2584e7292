/** Many sessions under many policies: one session in memory at a time, its tokens counted once for all policies. */
import type { FixedTokens } from "../packages/core/ledger.ts";
import { CwlError } from "../packages/host/errors.ts";
import type { CountTokens } from "../packages/host/tokens.ts";
import { findNeeds } from "./metrics/needs.ts";
import type { Contender } from "./policies/contender.ts";
import { readSession } from "./readers/registry.ts";
import { findSessionFiles } from "./readers/session-files.ts";
import type { Damage } from "./readers/session-reader.ts";
import { openRecording, type Recording } from "./recording.ts";
import { createRequestFile, type RequestForm } from "./request-file.ts";
import { replayToResult, type SessionResult } from "./session-result.ts";

export interface RunOptions {
	readonly paths: readonly string[];
	readonly policies: readonly Contender[];
	/** Tokens. */
	readonly budget: number;
	readonly count: CountTokens;
	readonly system: string;
	readonly fixed: FixedTokens;
	readonly requests: { readonly folder: string; readonly form: RequestForm } | undefined;
	/** A clock in ms. */
	readonly now: () => number;
	/** Ends the run after the session before; what is done so far is answered. */
	readonly signal: AbortSignal;
	readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
	/** Files done, of all files found. */
	readonly done: number;
	readonly files: number;
	readonly session: string;
}

export interface Run {
	/** Of sessions that were replayed to the end under every policy. */
	readonly results: readonly SessionResult[];
	readonly sessions: number;
	readonly damage: readonly Damage[];
	readonly problems: readonly CwlError[];
	readonly isInterrupted: boolean;
}

/** Replay what the paths name. Files that cannot be replayed become problems of the run, and the rest goes on. */
export async function runReplays(options: RunOptions): Promise<Run> {
	const files = await findSessionFiles(options.paths);
	const results: SessionResult[] = [];
	const damage: Damage[] = [];
	const problems: CwlError[] = [];
	const names = new Map<string, number>();
	let sessions = 0;
	for (const [done, file] of files.entries()) {
		if (options.signal.aborted) break;
		const recording = file.type === "file" ? await open(file.path, options.count) : file.error;
		if (recording instanceof CwlError) {
			problems.push(recording);
			continue;
		}
		const { session } = recording;
		options.onProgress({ done, files: files.length, session: session.name });
		damage.push(...session.damage);
		const replayed = await replayUnderAll(recording, distinctName(names, session.name), options);
		if (!replayed) break;
		results.push(...replayed);
		sessions += 1;
	}
	return { results, sessions, damage, problems, isInterrupted: options.signal.aborted };
}

async function open(path: string, count: CountTokens): Promise<Recording | CwlError> {
	try {
		return openRecording(await readSession(path), count);
	} catch (error) {
		if (error instanceof CwlError) return error;
		throw error;
	}
}

/** Two folders may hold files of the same name; their requests must not overwrite each other. */
function distinctName(names: Map<string, number>, name: string): string {
	const use = (names.get(name) ?? 0) + 1;
	names.set(name, use);
	return use === 1 ? name : `${name}~${use}`;
}

/** A session counts under every policy or not at all, so that policies are compared on the same requests. */
async function replayUnderAll(
	recording: Recording,
	name: string,
	options: RunOptions,
): Promise<readonly SessionResult[] | undefined> {
	const { policies, requests, system, signal } = options;
	const recorded = recording.session.messages;
	const needs = findNeeds(recording, firstPressed(recording, options));
	const results: SessionResult[] = [];
	for (const contender of policies) {
		const file =
			requests && createRequestFile({ ...requests, name: `${name}.${contender.name}`, system, recorded });
		const result = await replayToResult(recording, { ...options, contender, needs }, file, signal);
		if (!result) {
			file?.discard();
			return undefined;
		}
		file?.finish();
		results.push({ ...result, session: name });
	}
	return results;
}

/** Index of the first request whose whole history passes the budget; past the end when there is none. */
function firstPressed({ turns }: Recording, { budget, fixed }: RunOptions): number {
	const first = turns.findIndex(({ historyTokens }) => fixed.system + fixed.tools + historyTokens > budget);
	return first < 0 ? turns.length : first;
}
