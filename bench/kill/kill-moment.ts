/** The moments at which processes are killed, drawn by a seed, and one process from its start until its moment comes. */
import { setTimeout as pause } from "node:timers/promises";
import { PASS_ENTRY } from "#pi/session";
import { isFields } from "#replay/readers";
import type { RequestRecord } from "#testing/server";
import { createRandom } from "#testing/worker";
import type { EndedMessage } from "./checks.ts";
import type { Stage } from "./stage.ts";

/** The moments with the largest values that are drawn. Pi is ready to work after about two seconds; a task takes about half a second. */
const largest = {
	/** Ms after the start of the process. */
	start: { afterMs: 2_500, skip: 0 },
	/** Ms after its first prompt. */
	work: { afterMs: 2_000, skip: 0 },
	/** Inside the write of a line of the session file. */
	write: { afterMs: 0, skip: 12 },
	/** The same in the write of the next pass. */
	pass: { afterMs: 0, skip: 0 },
	/** After a pass is in the log and its request is sent. */
	"pass-sent": { afterMs: 0, skip: 0 },
	/** Ms after a tool began to run. */
	tool: { afterMs: 40, skip: 4 },
	/** Ms after the first piece of a streamed answer. */
	stream: { afterMs: 20, skip: 4 },
	/** Ms after the user asked for a compaction, or cancelled a task while its first tool ran. */
	compact: { afterMs: 500, skip: 0 },
	cancel: { afterMs: 500, skip: 0 },
} as const;
export type MomentType = keyof typeof largest;
// Object.keys knows no literal keys.
export const MOMENT_TYPES = Object.keys(largest) as readonly MomentType[];

export interface Moment {
	readonly type: MomentType;
	readonly afterMs: number;
	/** Lines, tools or requests of the process to let pass. */
	readonly skip: number;
	/** The share of a line's bytes that is written; 0 in a pass means that it is decided but not on disk. */
	readonly share: number;
}

/** Half of the kills come at any time during the work, the other half at chosen points. */
const DRAWN: readonly MomentType[] = [...MOMENT_TYPES, ...Array<"work">(5).fill("work")];

/** The moment of a run, the same for the same seed and run. */
export function drawMoment(seed: number, run: number): Moment {
	const random = createRandom(seed * 7_919 + run);
	const type = random.pick(DRAWN);
	return {
		type,
		afterMs: random.between(0, largest[type].afterMs),
		skip: random.between(0, largest[type].skip),
		share: random.pick([0, 1, random.between(1, 99) / 100, random.between(1, 99) / 100]),
	};
}

/** Tasks after which the moment is no longer expected. */
const MAX_TASKS = 8;

/** Runs tasks, from this one on, until the moment comes, or kills the process after its tasks. */
export async function runUntil(stage: Stage, task: number, moment: Moment) {
	const { type, afterMs, skip } = moment;
	const reported: EndedMessage[] = [];
	let first: RequestRecord | undefined;
	let kill = () => {};
	const killing = new Promise<void>((resolve) => {
		kill = resolve;
	});
	const killLater = () => void pause(afterMs).then(kill);
	// A stalled answer leaves time for the kill.
	const stalled = type === "stream" ? stage.server.records().length + skip : undefined;
	let latest = -1;
	let tools = 0;
	const pi = stage.start({
		environment: tornWrite(moment),
		fault: (index) => (index === stalled ? { type: "stall" } : undefined),
		onRequest(record) {
			first ??= record;
			latest = record.index;
			if (type === "pass-sent" && !record.extendsPrevious) kill();
		},
		onEvent(event) {
			if (event.type === "message_end" && isMessage(event.message)) reported.push(event.message);
			if (event.type === "message_update" && latest === stalled) killLater();
			if (event.type !== "tool_execution_start") return;
			if (type === "tool" && tools++ === skip) killLater();
			if (type === "cancel") command("abort");
		},
	});
	/** Sends a command of the user, and kills the process soon after; the answer may not come. */
	function command(name: "abort" | "compact") {
		pi.send({ type: name }).catch(() => {});
		killLater();
	}
	let next = task;
	async function work(): Promise<boolean> {
		try {
			await pi.send({ type: "get_state" });
			if (type === "work") killLater();
			for (const prompt of stage.prompts.slice(task, task + MAX_TASKS)) {
				await pi.prompt(prompt);
				next += 1;
				if (type !== "compact") continue;
				command("compact");
				await killing;
			}
			return false;
		} catch (error) {
			if (isTorn(moment) && String(error).includes("SIGKILL")) return true;
			throw error;
		}
	}
	if (type === "start") killLater();
	const isMoment = await Promise.race([work(), killing.then(() => true)]);
	await pi.kill();
	/** The first request with its body, every message whose end pi reported, and the task in progress at the kill. */
	return { first, reported, task: next, isMoment };
}

function isMessage(message: unknown): message is EndedMessage {
	return isFields(message) && typeof message.role === "string" && "content" in message;
}

const isTorn = ({ type }: Moment): boolean => type === "write" || type === "pass";

/** The environment that kills a process inside the write of a line. */
function tornWrite(moment: Moment): Readonly<Record<string, string>> {
	if (!isTorn(moment)) return {};
	const match = moment.type === "pass" ? `"customType":"${PASS_ENTRY}"` : "";
	return { CWL_TORN_WRITE: JSON.stringify({ match, skip: moment.skip, share: moment.share }) };
}
