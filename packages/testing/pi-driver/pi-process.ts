/**
 * Drives a real pi over its RPC mode: a child process, one JSON line a message in each direction. pi's own RpcClient
 * cannot start pi with flags of Node or without the caller's environment, cannot kill it, and leaves calls pending
 * when pi ends.
 */

import { spawn } from "node:child_process";
import { parseFields } from "#basics";

export type PiEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface PiProcessOptions {
	/** The program and its arguments, up to and without `--mode`. */
	readonly command: readonly [string, ...string[]];
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly onEvent?: (event: PiEvent) => void;
}

export type PiProcess = ReturnType<typeof startPiProcess>;

/** Starts pi in RPC mode. If pi ends before `close()` or `kill()`, the error holds the end of its stderr. */
export function startPiProcess(options: PiProcessOptions) {
	const [program, ...args] = options.command;
	const env = { ...options.environment };
	const child = spawn(program, [...args, "--mode", "rpc"], { cwd: options.cwd, env });
	const answers = new Map<string, (event: PiEvent) => void>();
	let settled: (() => void) | undefined;
	let isAsked = false;
	/** True from the beginning to the end of a run, as pi reports them. */
	let isRunning = false;
	let sent = 0;
	let complaints = "";
	/** The beginning of a line whose end has not arrived. */
	let rest = "";
	const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
	/** Rejects the pending calls. After `close()` and `kill()`, the end of the process rejects none. */
	const failed = new Promise<never>((_, reject) => {
		const fail = (reason: Error) => void (isAsked || reject(reason));
		child.once("error", fail);
		child.once("exit", (code, signal) =>
			fail(new Error(`pi ended (${code ?? signal}): ${complaints.trim()}`)),
		);
	});
	failed.catch(() => undefined);

	function receive(event: PiEvent) {
		options.onEvent?.(event);
		if (event.type === "agent_start") isRunning = true;
		// Where a fault ends a run, later hosts say only that they are settled, as they do after every run.
		if (event.type === "agent_end" || (event.type === "agent_settled" && isRunning)) {
			isRunning = false;
			settled?.();
		}
		const answer = typeof event.id === "string" ? answers.get(event.id) : undefined;
		if (event.type === "response") answer?.(event);
	}
	// pi separates records by LF only; node's readline would also split inside strings.
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		const lines = (rest + chunk).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const { type, ...event } = parseFields(line);
			// Other lines were printed by an extension.
			if (typeof type === "string") receive({ ...event, type });
		}
	});
	child.stderr.on("data", (chunk) => {
		complaints = (complaints + String(chunk)).slice(-4_000);
	});

	/** Sends any RPC command and waits for its answer. @throws Error with what pi said when it refused */
	async function send(command: PiEvent): Promise<PiEvent> {
		if (child.exitCode !== null || child.signalCode !== null)
			throw new Error(`pi has ended: ${complaints.trim()}`);
		const id = `c${sent++}`;
		const answered = new Promise<PiEvent>((resolve) => answers.set(id, resolve));
		child.stdin.write(`${JSON.stringify({ ...command, id })}\n`);
		const answer = await Promise.race([answered, failed]);
		answers.delete(id);
		if (answer.success === false) throw new Error(`pi refused ${command.type}: ${String(answer.error)}`);
		return answer;
	}

	return {
		send,
		/** pi's `get_state` can be ahead of this: events wait for the extensions that handle them. */
		isRunning: () => isRunning,
		/** Sends a user message and waits until the agent has finished with it. */
		async prompt(message: string) {
			const done = new Promise<void>((resolve) => {
				settled = resolve;
			});
			await Promise.all([send({ type: "prompt", message }), Promise.race([done, failed])]);
		},
		/** Asks pi to end, and waits for it; kills it after `graceMs`. */
		async close(graceMs = 5_000) {
			isAsked = true;
			child.stdin.end();
			const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
			child.kill("SIGTERM");
			await exited;
			clearTimeout(timer);
		},
		/** Kills it at once, as a crash would. */
		async kill() {
			isAsked = true;
			child.kill("SIGKILL");
			await exited;
		},
	};
}
