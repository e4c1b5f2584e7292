/** One session under all arms, read once and counted once, in this thread or in a thread of its own; its requests in a file, if they are asked for. */

import { once } from "node:events";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { type MessagePort, Worker } from "node:worker_threads";
import { countOf } from "#basics";
import { measureMarks } from "#core/health";
import { CwlError, defaultToolTable, messageOf } from "#pi";
import { type HostMessage, isAnswer } from "#pi/codec";
import { createManagedSession } from "#pi/session";
import { findNeeds } from "../metrics/needs.ts";
import type { Damage, Problem, RecordedSession, SessionPlace } from "../readers/recorded-session.ts";
import { readSession } from "../readers/registry.ts";
import { openRecording } from "../recording/recording.ts";
import type { Arm } from "./arms.ts";
import { type OnRequest, type ReplayedRequest, replayToResult, type SessionResult } from "./session.ts";
import { openReplay, type ReplaySettings, type ReplaySetup } from "./setup.ts";

/**
 * Opens a requests file, creating its folder. Each line holds a request whole.
 * @throws CwlError `not-writable`
 */
export function createRequestFile(folder: string, name: string, system: string) {
	const path = join(folder, `${name.replaceAll(/[/\\:]/g, "_")}.jsonl`);
	const partial = `${path}.partial`;
	const file = openFile(folder, partial);
	return {
		write({ index, messages, extraCalls = [] }: ReplayedRequest) {
			const line = { turn: index, messages, system, ...(extraCalls.length > 0 && { extraCalls }) };
			writeSync(file, `${JSON.stringify(line)}\n`);
		},
		/** Gives the file its name where it is whole; until then it ends in `.partial`. Removes it otherwise. */
		close(isWhole: boolean) {
			closeSync(file);
			if (isWhole) renameSync(partial, path);
			else rmSync(partial, { force: true });
		},
	};
}

function openFile(folder: string, path: string): number {
	try {
		mkdirSync(folder, { recursive: true });
		// A session's text is for its user alone; a file of an earlier run may be open to others.
		rmSync(path, { force: true });
		return openSync(path, "wx", 0o600);
	} catch (error) {
		throw new CwlError(
			"not-writable",
			`${folder}: requests cannot be written there (${messageOf(error)}); name a folder that can be written.`,
		);
	}
}

/** One session to replay. */
export interface Job {
	/** Unlike those of all other sessions of the run. */
	readonly name: string;
	readonly place: SessionPlace;
}

/** A session under every arm, in the order of the arms. Plain data. */
export type SessionReplay = NonNullable<Awaited<ReturnType<typeof replayUnderAll>>>;

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
	// The name of an instance may be a path.
	if (line) return line.name.replaceAll(/[/\\]/g, "-");
	const { name, dir } = parse(path);
	return name === "events" ? basename(dir) : name;
}

/** A session counts under every arm or not at all. */
async function replayUnderAll(
	{ session, inherited }: { readonly session: RecordedSession; readonly inherited: number },
	name: string,
	setup: ReplaySetup,
	signal: AbortSignal,
	watch: Watch | undefined,
) {
	const { requests, system, settings, count } = setup;
	const recording = openRecording(session, count);
	const { isAnnotated, turns, scale } = recording;
	// Where the provider counted, a request has the prompt and the tools that it counted too.
	const fixed = scale ? { system: scale.overhead, tools: 0 } : settings.fixed;
	if (turns.length === 0) {
		throw new CwlError("no-request", `${session.path}: holds no answer of a model; leave it out.`);
	}
	const room = settings.pressure - fixed.system - fixed.tools;
	const first = turns.findIndex(({ historyTokens }) => historyTokens > room);
	const from = first < 0 ? turns.length : first;
	const pressed = { from, needs: findNeeds(recording, from), inherited, fixed };
	const results: SessionResult[] = [];
	for (const arm of setup.arms) {
		const file =
			requests === undefined ? undefined : createRequestFile(requests, `${name}.${arm.name}`, system);
		const onRequest: OnRequest = (request) => {
			file?.write(request);
			watch?.(arm, request);
		};
		let result: SessionResult | undefined;
		try {
			result = await replayToResult(recording, arm, setup, pressed, onRequest, signal);
		} finally {
			file?.close(result !== undefined);
		}
		if (!result) return undefined;
		results.push(result);
	}
	const { historyTokens = 0, outputTokens = 0 } = turns.at(-1) ?? {};
	return {
		session: name,
		format: session.format,
		isAnnotated,
		/** How well its model marked its work; undefined without marks. */
		marks: measureMarks(createManagedSession(count).inspect(session.messages).graph, defaultToolTable),
		/** The provider's tokens, compared with ours; null where they are ours. */
		scale: scale ?? null,
		isPressed: first >= 0,
		/** Tokens of the whole session, prompt and tools not included. */
		tokens: historyTokens + outputTokens,
		results,
	};
}

/** The number of leading messages that a fork took over from its parent. */
async function countInherited({ messages }: RecordedSession, parent: string): Promise<number> {
	const shared = (await readSession(parent)).messages;
	const textOf = (message: HostMessage | undefined) => JSON.stringify({ ...message, timestamp: 0 });
	const own = messages.findIndex((message, index) => textOf(message) !== textOf(shared[index]));
	return own < 0 ? messages.length : own;
}

function describeFork(session: RecordedSession, place: SessionPlace, inherited: number): readonly Damage[] {
	const answers = session.messages.slice(0, inherited).filter(isAnswer).length;
	if (answers === 0) return [];
	const reason = `forked from ${place.forkOf}: its first ${countOf(answers, "request")} count there`;
	return [{ place: session.path, reason }];
}

function problemOf(path: string, error: unknown): Problem {
	if (error instanceof CwlError) return { code: error.code, message: error.message };
	const cause = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	const message = `${path}: cannot be replayed (${cause}); leave it out, and report it as a bug of cwl.`;
	return { code: "bad-session", message };
}

/** Receives every projected request. */
type Watch = (arm: Arm, request: ReplayedRequest) => void;

export type Runner = ReturnType<typeof createLocalRunner>;

/** A runner in this thread: it replays jobs, one at a time. */
export function createLocalRunner(setup: ReplaySetup, watch?: Watch) {
	const interrupt = new AbortController();
	return {
		/**
		 * Any fault inside a session becomes its problem, so that the others are replayed. Resolves early, without a replay, when
		 * the runner is stopped.
		 * @throws CwlError `not-writable` if requests cannot be written: that is no fault of the session
		 */
		async run({ name, place }: Job): Promise<JobOutcome> {
			let damage: readonly Damage[] = [];
			try {
				const session = await readSession(place.path, place.line);
				damage = session.damage;
				const inherited = place.forkOf === undefined ? 0 : await countInherited(session, place.forkOf);
				const replay = await replayUnderAll({ session, inherited }, name, setup, interrupt.signal, watch);
				return { replay, damage: [...damage, ...describeFork(session, place, inherited)], problems: [] };
			} catch (error) {
				if (error instanceof CwlError && error.code === "not-writable") throw error;
				return { replay: undefined, damage, problems: [problemOf(place.path, error)] };
			}
		},
		stop: () => interrupt.abort(),
		close: async () => {},
	};
}

/** A message from a runner to its thread: a job, which is answered by its outcome, or the order to stop. */
type ThreadOrder = Job | "stop";

/** A runner in a thread of its own, which has its own token counter and one session in memory. */
export function createThreadRunner(settings: ReplaySettings): Runner {
	const thread = new Worker(new URL("./runner-thread.mjs", import.meta.url), { workerData: settings });
	const send = (order: ThreadOrder) => thread.postMessage(order);
	return {
		async run(job) {
			const answered = once(thread, "message");
			send(job);
			const [outcome]: JobOutcome[] = await answered;
			return outcome ?? { replay: undefined, damage: [], problems: [] };
		},
		stop: () => send("stop"),
		close: async () => void (await thread.terminate()),
	};
}

/** The other end of a thread runner: answers each job with its outcome until the thread is ended. */
export async function serveJobs(port: MessagePort, settings: ReplaySettings): Promise<void> {
	// Orders that come early wait for the setup.
	const runner = openReplay(settings).then((setup) => createLocalRunner(setup));
	port.on("message", async (order: ThreadOrder) => {
		if (order === "stop") (await runner).stop();
		else port.postMessage(await (await runner).run(order));
	});
	await runner;
}
