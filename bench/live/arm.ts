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
import { openArmFolder, readLines, type Trial } from "./arm-folder.ts";
import { type PiAgent, startPiAgent } from "./pi-agent.ts";
import type { LiveModel } from "./provider.ts";

export interface ArmOptions {
	/** Of the run; the arm has one in it. */
	readonly folder: string;
	/** For pi's settings, outside of the run because they may hold keys. */
	readonly settings: string;
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

export type Arm = Awaited<ReturnType<typeof openArm>>;

const POLL_MS = 200;

/** The arm with everything that its folder holds. */
export async function openArm(options: ArmOptions) {
	const { condition, model, signal, limits } = options;
	const agentDirectory = join(options.settings, condition.name);
	const folder = await openArmFolder(join(options.folder, condition.name));
	const { repository: directory, sessions, trials } = folder;
	const isIsolated = condition.mode === "isolated";
	// pi does not answer a pending prompt when it is asked to end.
	const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
	let agent: PiAgent | undefined;
	/** The time of the last event, in ms, and the tools that run now. */
	let [lastEvent, running] = [0, 0];

	function onEvent(event: PiEvent) {
		options.onEvent(event);
		if (event.type === "tool_execution_start") running += 1;
		if (event.type === "tool_execution_end") running -= 1;
		// pi answers our own questions too.
		if (event.type !== "response") lastEvent = performance.now();
	}

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
		const resumed = last && !isIsolated ? ["--session", join(sessions, last.session)] : [];
		const args = ["--session-dir", sessions, ...resumed];
		return await startPiAgent({ condition, directory, agentDirectory, model, args, onEvent });
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
		if (isIsolated) await agent.renew();
		const file = await agent.sessionFile();
		const from = (await readLines(file)).length;
		await task.prepare(directory);
		const head = (await git(directory, "rev-parse", "HEAD")).trim();
		const begun = performance.now();
		[lastEvent, running] = [begun, 0];
		let isSilent = false;
		const watch = setInterval(() => {
			const now = performance.now();
			isSilent ||= running === 0 && now - lastEvent > limits.silence;
			if (!isSilent && now - begun < limits.trial) return;
			clearInterval(watch);
			agent?.abort().catch(() => undefined);
		}, POLL_MS);
		// A pi that ends in the middle counts as a fault of the provider.
		const crash = await Promise.race([agent.ask(task.prompt).catch(messageOf), stopped]);
		clearInterval(watch);
		if (signal.aborted) return undefined;
		// What the model committed itself is judged as if it had not.
		await git(directory, "reset", "--quiet", "--soft", head);
		const lines = await readLines(file);
		const fault = crash || (isSilent ? "the provider fell silent" : faultIn(lines.slice(from)));
		const seconds = (performance.now() - begun) / 1_000;
		const place = { session: basename(file), from, to: lines.length };
		return { task: task.id, seconds, ...place, ...(fault && { fault }) };
	}

	return {
		...{ condition, folder, close },
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
function faultIn(lines: readonly string[]): string | undefined {
	const messages = lines.map((line) => fieldsOf(fieldsOf(JSON.parse(line)).message));
	const last = messages.findLast(({ role }) => role === "assistant");
	return last?.stopReason === "error" ? stringOf(last.errorMessage) || "an error without words" : undefined;
}
