/** One process from its start to the moment at which it is killed. */
import { setTimeout as pause } from "node:timers/promises";
import { isFields } from "#lab";
import type { Fault, PiEvent, RequestRecord } from "#loopback";
import { PASS_ENTRY } from "#pi";
import type { Moment } from "./kill-schedule.ts";
import type { InjectedMessage } from "./session-file.ts";
import type { Hooks, Stage } from "./stage.ts";

export interface Life {
	/** The first request, if it came to one; with its body. */
	readonly first: RequestRecord | undefined;
	/** Every message that pi told as ended. */
	readonly told: readonly InjectedMessage[];
	/** The task that comes next: the one in work when it was killed. */
	readonly task: number;
	/** Whether the moment came; else it was killed when its tasks were done. */
	readonly isMoment: boolean;
}

/** So many tasks later, a moment that has not come will not come. */
const MAX_TASKS = 8;

/** Carry out tasks, from one on, until the moment comes. */
export async function live(stage: Stage, task: number, moment: Moment): Promise<Life> {
	const told: InjectedMessage[] = [];
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
			if (event.type === "message_end" && isMessage(event.message)) told.push(event.message);
			watch.onEvent?.(event);
		},
		environment: tornWrite(moment),
	});
	if (moment.type === "start") void pause(moment.afterMs).then(kill);
	let next = task;
	async function work(): Promise<"done" | "fell"> {
		try {
			await pi.send({ type: "get_state" });
			if (moment.type === "work") void pause(moment.afterMs).then(kill);
			for (const prompt of stage.prompts.slice(task, task + MAX_TASKS)) {
				await pi.prompt(prompt);
				next += 1;
			}
			return "done";
		} catch (error) {
			if (isTorn(moment) && String(error).includes("SIGKILL")) return "fell";
			throw error;
		}
	}
	const end = await Promise.race([work(), killing]);
	await pi.kill();
	return { first, told, task: next, isMoment: end !== "done" };
}

function isMessage(message: unknown): message is InjectedMessage {
	return isFields(message) && typeof message.role === "string" && "content" in message;
}

function isTorn({ type }: Moment): boolean {
	return type === "write" || type === "pass";
}

/** What makes a process fall in the write of a line. */
function tornWrite(moment: Moment): Readonly<Record<string, string>> {
	if (moment.type !== "write" && moment.type !== "pass") return {};
	const match = moment.type === "pass" ? `"customType":"${PASS_ENTRY}"` : "";
	const skip = moment.type === "pass" ? 0 : moment.skip;
	return { CWL_TORN_WRITE: JSON.stringify({ match, skip, share: moment.share }) };
}

type Watch = Hooks & { readonly onEvent?: (event: PiEvent) => void };

/** What to look at for the moments that something brings about; `start` is the number of requests so far. */
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
			// An answer that stalls half way leaves time to be killed in.
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
