/** The moments at which processes are killed, drawn by a seed, and one process from its start until its moment comes. */
import { setTimeout as pause } from "node:timers/promises";
import { createRandom, type Fault, type PiEvent, type Random, type RequestRecord } from "#loopback";
import { PASS_ENTRY } from "#pi";
import { isFields } from "#replay";
import type { EndedMessage } from "./checks.ts";
import type { Hooks, Stage } from "./stage.ts";

export type Moment =
	/** Ms after the start of the process. */
	| { readonly type: "start"; readonly afterMs: number }
	/** Ms after its first prompt. */
	| { readonly type: "work"; readonly afterMs: number }
	/** Inside the write of a line of the session file, after that share of its bytes. */
	| { readonly type: "write"; readonly skip: number; readonly share: number }
	/** The same in the write of the next pass; a share of 0 means that the pass is decided but not on disk. */
	| { readonly type: "pass"; readonly share: number }
	/** After the pass is in the log and its request is sent. */
	| { readonly type: "pass-sent" }
	/** Ms after a tool began to run. */
	| { readonly type: "tool"; readonly skip: number; readonly afterMs: number }
	/** Ms after the first piece of a streamed answer. */
	| { readonly type: "stream"; readonly skip: number; readonly afterMs: number };

/** Half of the kills come at any time during the work, the other half at chosen points. */
const KINDS = [
	...(["work", "work", "work", "work", "work", "work"] as const),
	...(["start", "write", "pass", "pass-sent", "tool", "stream"] as const),
];
export const MOMENT_TYPES = [...new Set<Moment["type"]>(KINDS)];

/** Pi is ready to work after about two seconds. */
const START_MS = 2_500;
/** A task of the worker takes about half a second. */
const WORK_MS = 2_000;

/** The moment of a run, the same for the same seed and run. */
export function drawMoment(seed: number, run: number): Moment {
	const random = createRandom(seed * 7_919 + run);
	return makeMoment(random.pick(KINDS), random);
}

/** A moment of a given type with random figures. */
export function makeMoment(type: Moment["type"], random: Random): Moment {
	const share = () => random.pick([0, 1, random.between(1, 99) / 100, random.between(1, 99) / 100]);
	switch (type) {
		case "start":
			return { type, afterMs: random.between(0, START_MS) };
		case "work":
			return { type, afterMs: random.between(0, WORK_MS) };
		case "write":
			return { type, skip: random.between(0, 12), share: share() };
		case "pass":
			return { type, share: share() };
		case "pass-sent":
			return { type };
		case "tool":
			return { type, skip: random.between(0, 4), afterMs: random.between(0, 40) };
		case "stream":
			return { type, skip: random.between(0, 4), afterMs: random.between(0, 20) };
	}
}

export interface ProcessRun {
	/** The first request with its body, if there was one. */
	readonly first: RequestRecord | undefined;
	/** Every message whose end pi reported. */
	readonly reported: readonly EndedMessage[];
	/** The next task: the one in progress at the kill. */
	readonly task: number;
	/** True if the moment came; otherwise the process was killed after its tasks. */
	readonly isMoment: boolean;
}

/** Tasks after which the moment is no longer expected. */
const MAX_TASKS = 8;

/** Runs tasks, from this one on, until the moment comes. */
export async function runUntil(stage: Stage, task: number, moment: Moment): Promise<ProcessRun> {
	const reported: EndedMessage[] = [];
	let first: RequestRecord | undefined;
	let kill = () => {};
	const killing = new Promise<void>((resolve) => {
		kill = resolve;
	});
	const watch = watchFor(moment, stage.server.records().length, () => kill());
	const pi = stage.start({
		hooks: {
			...watch,
			onRequest(record) {
				first ??= record;
				watch.onRequest?.(record);
			},
		},
		onEvent(event) {
			if (event.type === "message_end" && isMessage(event.message)) reported.push(event.message);
			watch.onEvent?.(event);
		},
		environment: tornWrite(moment),
	});
	if (moment.type === "start") void pause(moment.afterMs).then(kill);
	let next = task;
	async function work(): Promise<"done" | "killed"> {
		try {
			await pi.send({ type: "get_state" });
			if (moment.type === "work") void pause(moment.afterMs).then(kill);
			for (const prompt of stage.prompts.slice(task, task + MAX_TASKS)) {
				await pi.prompt(prompt);
				next += 1;
			}
			return "done";
		} catch (error) {
			if (isTorn(moment) && String(error).includes("SIGKILL")) return "killed";
			throw error;
		}
	}
	const end = await Promise.race([work(), killing]);
	await pi.kill();
	return { first, reported, task: next, isMoment: end !== "done" };
}

function isMessage(message: unknown): message is EndedMessage {
	return isFields(message) && typeof message.role === "string" && "content" in message;
}

function isTorn({ type }: Moment): boolean {
	return type === "write" || type === "pass";
}

/** The environment that kills a process inside the write of a line. */
function tornWrite(moment: Moment): Readonly<Record<string, string>> {
	if (moment.type !== "write" && moment.type !== "pass") return {};
	const match = moment.type === "pass" ? `"customType":"${PASS_ENTRY}"` : "";
	const skip = moment.type === "pass" ? 0 : moment.skip;
	return { CWL_TORN_WRITE: JSON.stringify({ match, skip, share: moment.share }) };
}

type Watch = Hooks & { readonly onEvent?: (event: PiEvent) => void };

/** Watches for moments that an event brings about; `start` is the number of requests so far. */
function watchFor(moment: Moment, start: number, kill: () => void): Watch {
	switch (moment.type) {
		case "pass-sent":
			return { onRequest: ({ extendsPrevious }) => void (extendsPrevious || kill()) };
		case "tool": {
			let seen = 0;
			const isTool = ({ type }: PiEvent) => type === "tool_execution_start" && seen++ === moment.skip;
			return { onEvent: (event) => void (isTool(event) && pause(moment.afterMs).then(kill)) };
		}
		case "stream": {
			// A stalled answer leaves time for the kill.
			const isStalled = (index: number) => index === start + moment.skip;
			let at = -1;
			const isUpdate = ({ type }: PiEvent) => type === "message_update" && isStalled(at);
			return {
				fault: (index): Fault | undefined => (isStalled(index) ? { type: "stall" } : undefined),
				onRequest: ({ index }) => {
					at = index;
				},
				onEvent: (event) => void (isUpdate(event) && pause(moment.afterMs).then(kill)),
			};
		}
		default:
			return {};
	}
}
