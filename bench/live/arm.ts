/** One arm of a live run: does a task as a trial, repeats it once after an error of the provider, and writes down how it ended. */
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fieldsOf, stringOf } from "#loopback";
import type { PiEvent } from "#loopback/pi-driver";
import { discardChanges, git } from "#loopback/worker";
import type { Task } from "#loopback/worker/tasks";
import { messageOf } from "#pi";
import type { Condition } from "../single-session/conditions.ts";
import { type Stage, settleTask } from "../single-session/run.ts";
import { type ArmFolder, openArmFolder, readLines, type Trial } from "./arm-folder.ts";
import { type PiAgent, startPiAgent } from "./pi-agent.ts";
import { BARE, type LiveModel, writeArmDirectory } from "./provider.ts";

export interface ArmOptions {
	readonly folder: string;
	/** For pi's settings, outside of the run because they may hold keys. */
	readonly agentDirectory: string;
	readonly condition: Condition;
	readonly create: Stage["create"];
	readonly model: LiveModel;
	/** Ends a trial in the middle; such a trial is not written down. */
	readonly signal: AbortSignal;
	readonly limits: Limits;
	readonly onEvent: (event: PiEvent) => void;
}

/** Milliseconds that a trial may take, and that a provider may say nothing for. */
export interface Limits {
	readonly trial: number;
	readonly silence: number;
}

export interface Arm {
	readonly condition: Condition;
	readonly folder: ArmFolder;
	/** Undefined if the run was stopped in the middle. */
	take(task: Task): Promise<Trial | undefined>;
	/** Ends pi, and drops what it did since the last trial. */
	close(): Promise<void>;
}

type Attempt = Omit<Trial, "isSolved" | "commit">;

/** The arm with everything that its folder holds. */
export async function openArm(options: ArmOptions): Promise<Arm> {
	const { condition, agentDirectory, model, signal, onEvent } = options;
	const folder = await openArmFolder(options.folder);
	const { repository: directory, sessions, trials } = folder;
	const isIsolated = condition.mode === "isolated";
	// pi does not answer a pending prompt when it is asked to end.
	const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
	let agent: PiAgent | undefined;
	const watch = createWatch(options.limits, () => agent?.abort().catch(() => undefined));

	/** Starts pi in the state after the last finished trial. */
	async function begin(): Promise<PiAgent> {
		const last = trials.at(-1);
		if (last) {
			await discardChanges(directory);
			await git(directory, "reset", "--quiet", "--hard", last.commit);
		} else {
			await rm(directory, { recursive: true, force: true });
			await options.create(directory);
		}
		await writeArmDirectory(agentDirectory, model, condition);
		const resumed = last && !isIsolated ? ["--session", join(sessions, last.session)] : [];
		return startPiAgent({
			...{ condition, directory, agentDirectory },
			args: [...BARE, "--model", model.name, "--session-dir", sessions, ...resumed],
			onEvent(event) {
				onEvent(event);
				watch.note(event);
			},
		});
	}

	async function close() {
		await agent?.close();
		agent = undefined;
		await folder.dropAttempts();
	}

	async function attempt(task: Task): Promise<Attempt | undefined> {
		agent ??= await begin();
		if (isIsolated) await agent.renew();
		const file = await agent.sessionFile();
		const from = (await readLines(file)).length;
		await task.prepare(directory);
		const head = (await git(directory, "rev-parse", "HEAD")).trim();
		const begun = performance.now();
		const cut = watch.begin();
		// A pi that ends in the middle counts as a fault of the provider.
		const crash = await Promise.race([agent.ask(task.prompt).catch(messageOf), stopped]);
		const limit = cut();
		if (signal.aborted) return undefined;
		// What the model committed itself is judged as if it had not.
		await git(directory, "reset", "--quiet", "--soft", head);
		const lines = await readLines(file);
		const fault = crash || (limit === "silence" ? "the provider fell silent" : faultIn(lines.slice(from)));
		const seconds = (performance.now() - begun) / 1_000;
		const place = { session: basename(file), from, to: lines.length };
		return { task: task.id, seconds, ...place, ...(fault && { fault }) };
	}

	return {
		...{ condition, folder, close },
		async take(task) {
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
function faultIn(lines: readonly string[]): string | undefined {
	const messages = lines.map((line) => fieldsOf(fieldsOf(JSON.parse(line)).message));
	const last = messages.findLast(({ role }) => role === "assistant");
	return last?.stopReason === "error" ? stringOf(last.errorMessage) || "an error without words" : undefined;
}

/** Ends an attempt in which no event comes while no tool runs, or that takes too long. */
function createWatch({ trial, silence }: Limits, abort: () => void) {
	let reason: keyof Limits | undefined;
	let timer: NodeJS.Timeout | undefined;
	let running = 0;
	const end = (why: keyof Limits) => () => {
		reason ??= why;
		abort();
	};
	const listen = () => {
		clearTimeout(timer);
		if (running === 0) timer = setTimeout(end("silence"), silence);
	};
	return {
		note({ type }: PiEvent) {
			if (type === "tool_execution_start") running += 1;
			if (type === "tool_execution_end") running -= 1;
			// pi answers our own questions too.
			if (timer && type !== "response") listen();
		},
		/** Returns a function that ends the watch and says which limit was passed. */
		begin() {
			[reason, running] = [undefined, 0];
			const whole = setTimeout(end("trial"), trial);
			listen();
			return () => {
				clearTimeout(whole);
				clearTimeout(timer);
				timer = undefined;
				return reason;
			};
		},
	};
}
