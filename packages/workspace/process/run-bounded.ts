import { type Context, createContext, Script } from "node:vm";
import { errorCode, WorkspaceError } from "../workspace-error.ts";

/** Made at the first run: it costs a millisecond. */
let context: Context | undefined;
let script: Script | undefined;

/** A watchdog fires a little early or late; a step that had this share of its processor time is over its limit. */
const NEARLY_ALL = 0.9;

/**
 * Runs a synchronous step that matches foreign patterns, and ends it after `ms` milliseconds of processor time: a busy
 * machine refuses no pattern that an idle one takes. A timer of this process could not fire while an expression runs;
 * vm's watchdog is on another thread, but knows the wall clock only. A step that it ends before the step had its
 * processor time runs again from its start, with twice the time, so that `run` must change nothing but its answer.
 *
 * @throws WorkspaceError `too-costly` with the given message
 */
export function runBounded<T>(run: () => T, ms: number, message: string): T {
	for (let wallMs = ms; ; wallMs *= 2) {
		const before = process.cpuUsage();
		const answer = runUntil(run, wallMs);
		if (answer !== undefined) return answer.value;
		const { user, system } = process.cpuUsage(before);
		if ((user + system) / 1000 >= ms * NEARLY_ALL) throw new WorkspaceError("too-costly", message);
	}
}

/** Undefined when the time is up. */
function runUntil<T>(run: () => T, wallMs: number): { readonly value: T } | undefined {
	context ??= createContext();
	script ??= new Script("run()");
	let answer: { readonly value: T } | undefined;
	context.run = () => {
		answer = { value: run() };
	};
	try {
		script.runInContext(context, { timeout: wallMs });
		return answer;
	} catch (error) {
		if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
		throw error;
	} finally {
		context.run = undefined;
	}
}
