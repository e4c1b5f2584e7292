import { type Context, createContext, Script } from "node:vm";
import { errorCode, WorkspaceError } from "../workspace-error.ts";

/** Made at the first run: it costs a millisecond. */
let context: Context | undefined;
let script: Script | undefined;

/**
 * Runs a synchronous step that matches foreign patterns, and ends it after `ms` milliseconds. A timer of this process
 * could not fire while an expression runs; vm's watchdog is on another thread.
 *
 * @throws WorkspaceError `too-costly` with the given message
 */
export function runBounded<T>(run: () => T, ms: number, message: string): T {
	context ??= createContext();
	script ??= new Script("run()");
	let answer: { readonly value: T } | undefined;
	context.run = () => {
		answer = { value: run() };
	};
	try {
		script.runInContext(context, { timeout: ms });
	} catch (error) {
		if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new WorkspaceError("too-costly", message);
		throw error;
	} finally {
		context.run = undefined;
	}
	if (answer === undefined) throw new WorkspaceError("failed", "The bounded step ended without an answer.");
	return answer.value;
}
