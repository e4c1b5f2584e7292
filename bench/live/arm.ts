/**
 * One arm of a live run: does a task as a trial in the real pi, repeats it once after an error of the provider, and writes down how it
 * ended. pi has a folder of settings of its own.
 */

import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getOverflowPatterns } from "@mariozechner/pi-ai";
import { fieldsOf, textOf } from "#basics";
import { messageOf } from "#pi";
import { replaceTextFile } from "#pi/files";
import type { PiEvent } from "#testing/pi-driver";
import { discardChanges, git } from "#testing/worker";
import type { Task } from "#testing/worker/tasks";
import type { Condition } from "../single-session/conditions.ts";
import { settleTask } from "../single-session/run.ts";
import { type PiAgent, startPiAgent, writeSettings } from "./pi-agent.ts";
import type { LivePlan } from "./run-file.ts";

interface ArmOptions extends LivePlan {
	/** The folder for pi's settings, outside of the run because they may hold keys. */
	readonly settings: string;
	readonly onEvent: (event: PiEvent) => void;
}

export type Arm = Awaited<ReturnType<typeof openArm>>;

const POLL_MS = 200;

/** The arm with everything that its folder holds. */
export async function openArm(options: ArmOptions, condition: Condition) {
	const { model, signal, limits } = options;
	const agentDirectory = join(options.settings, condition.name);
	const folder = await openArmFolder(join(options.folder, condition.name));
	const { repository: directory, sessions, trials } = folder;
	const isIsolated = condition.mode === "isolated";
	// pi does not answer a pending prompt when it is asked to end.
	const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
	let agent: PiAgent | undefined;
	/** Milliseconds of silence, and the tools that run now. */
	let silence = 0;
	let running = 0;

	function onEvent(event: PiEvent) {
		options.onEvent(event);
		if (event.type === "tool_execution_start") running += 1;
		if (event.type === "tool_execution_end") running -= 1;
		// Answers to the driver's own questions are no sign of the provider.
		if (event.type !== "response") silence = 0;
	}

	/** Starts pi in the state after the last finished trial. */
	async function begin() {
		const last = trials.at(-1);
		if (last) {
			await discardChanges(directory);
			await git(directory, "reset", "--quiet", "--hard", last.commit);
		} else {
			await rm(directory, { recursive: true, force: true });
			await options.source.create(directory);
		}
		const resumed = last && !isIsolated ? ["--session", join(sessions, last.session)] : [];
		const args = ["--session-dir", sessions, ...resumed];
		await writeSettings(agentDirectory, model, condition);
		return startPiAgent({ ...options, condition, agentDirectory, cwd: directory, args, onEvent });
	}

	/** Ends pi, and drops what it did since the last trial. */
	async function close() {
		await agent?.close();
		agent = undefined;
		await folder.dropAttempts();
	}

	/** Undefined if the run was stopped in the middle. */
	async function attempt(task: Task): Promise<Omit<Trial, "isSolved" | "commit"> | undefined> {
		agent ??= await begin();
		if (isIsolated) await agent.send({ type: "new_session" });
		const file = await agent.sessionFile();
		const from = (await readLines(file)).length;
		await task.prepare(directory);
		const head = (await git(directory, "rev-parse", "HEAD")).trim();
		const begun = performance.now();
		const done = new AbortController();
		const watching = abortLate(agent, begun, done.signal);
		// A pi that ends in the middle counts as a fault of the provider.
		const crash = await Promise.race([agent.ask(task.prompt).catch(messageOf), stopped]);
		done.abort();
		if (signal.aborted) return undefined;
		const isSilent = await watching;
		// What the model committed itself is judged as if it had not.
		await git(directory, "reset", "--quiet", "--soft", head);
		const lines = await readLines(file);
		const broken = crash || (isSilent ? "the provider fell silent" : "");
		const fault = broken ? { fault: broken } : faultIn(lines.slice(from));
		const seconds = (performance.now() - begun) / 1_000;
		const place = { session: basename(file), from, to: lines.length };
		return { task: task.id, seconds, ...place, ...fault };
	}

	/**
	 * Ends the run in progress when the trial takes too long, or when the provider is silent; returns true for the latter. Silence counts
	 * only while pi answers: a pi that is kept waiting by its machine or by an extension says nothing about the provider.
	 */
	async function abortLate(pi: PiAgent, begun: number, done: AbortSignal): Promise<boolean> {
		silence = 0;
		running = 0;
		while (!done.aborted) {
			await pause(POLL_MS);
			const isAlive = await pi.state().catch(() => undefined);
			if (!isAlive || done.aborted) break;
			silence = running === 0 ? silence + POLL_MS : 0;
			const isSilent = silence > limits.silence;
			if (!isSilent && performance.now() - begun < limits.trial) continue;
			// `ask` then returns.
			pi.send({ type: "abort" }).catch(() => undefined);
			return isSilent;
		}
		return false;
	}

	return {
		condition,
		folder,
		close,
		/** Does a task, for a second time after a fault of the provider. Undefined if the run was stopped in the middle. */
		async take(task: Task): Promise<Trial | undefined> {
			let done = await attempt(task);
			if (done?.fault) {
				await close();
				done = await attempt(task);
			}
			if (!done) return undefined;
			const isSolved = (await settleTask(directory, task)) && !done.fault;
			const commit = (await git(directory, "rev-parse", "HEAD")).trim();
			const trial = { ...done, isSolved, commit };
			await folder.add(trial);
			return trial;
		},
	};
}

/** The provider's error, if the last answer of the lines of a session is one. */
function faultIn(lines: readonly string[]): Pick<Trial, "fault" | "isTooLong"> {
	const messages = lines.map((line) => fieldsOf(fieldsOf(JSON.parse(line)).message));
	const last = messages.findLast(({ role }) => role === "assistant");
	if (last?.stopReason !== "error") return {};
	const fault = textOf(last.errorMessage) || "an error without words";
	return { fault, isTooLong: getOverflowPatterns().some((pattern) => pattern.test(fault)) };
}

/** One finished trial: a task under one arm. */
export interface Trial {
	readonly task: string;
	readonly isSolved: boolean;
	readonly seconds: number;
	/** The file of its session, and its lines there: the first, and the one after the last. */
	readonly session: string;
	readonly from: number;
	readonly to: number;
	/** The commit of the work tree afterwards. */
	readonly commit: string;
	/** The words of the provider, which failed twice. */
	readonly fault?: string;
	/** True for a context that the provider refused as too long: such a trial is not solved, others with a fault say nothing. */
	readonly isTooLong?: boolean;
}

export type ArmFolder = Awaited<ReturnType<typeof openArmFolder>>;

/**
 * The folder of one arm: its work tree, its sessions as pi wrote them, its finished trials, and the lines of attempts that were
 * interrupted or repeated. It is all that a later run needs to go on.
 */
async function openArmFolder(folder: string) {
	const file = join(folder, "trials.json");
	const sessions = join(folder, "sessions");
	const dropped = join(folder, "dropped.jsonl");
	const text = await readFile(file, "utf8").catch(() => "[]");
	const trials: Trial[] = JSON.parse(text);
	return {
		sessions,
		repository: join(folder, "repository"),
		/** In the order of the tasks. */
		trials: trials as readonly Trial[],
		async add(trial: Trial) {
			trials.push(trial);
			await replaceTextFile(file, JSON.stringify(trials, undefined, "\t"));
		},
		/** Moves all lines of sessions that belong to no finished trial, so that each session ends where its last trial did. */
		async dropAttempts() {
			const names = await readdir(sessions).catch(() => []);
			for (const name of names.filter((each) => each.endsWith(".jsonl"))) {
				const path = join(sessions, name);
				const lines = await readLines(path);
				const end = Math.max(0, ...trials.map(({ session, to }) => (session === name ? to : 0)));
				if (lines.length > end) await appendFile(dropped, joinLines(lines.slice(end)));
				if (end === 0) await rm(path);
				else if (lines.length > end) await writeFile(path, joinLines(lines.slice(0, end)));
			}
		},
		/** The lines that were dropped, of all sessions. */
		readDropped: () => readLines(dropped),
	};
}

/** Empty where there is no file. */
export async function readLines(path: string): Promise<readonly string[]> {
	const text = await readFile(path, "utf8").catch(() => "");
	return text.split("\n").filter((line) => line !== "");
}

const joinLines = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
