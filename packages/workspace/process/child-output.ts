/** Programs that the tools start: found by an absolute path, run in a process group within limits of time, memory and output. */
import type { ChildProcess } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { abortedError, throwIfAborted, WorkspaceError } from "../workspace-error.ts";

export interface ChildCommand {
	/** An absolute path, or a name that is searched on the PATH. */
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Bytes for the standard input; default none. */
	readonly input?: Buffer | undefined;
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds after which the program is killed. */
	readonly deadlineMs: number;
	/** Bytes of output after which the program is killed. */
	readonly maxBytes?: number;
}

export type ChildOutput =
	| { readonly type: "exit"; readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }
	| { readonly type: "deadline" }
	| { readonly type: "too-large" }
	/** The program is not installed. */
	| { readonly type: "missing" };

const MAX_STDERR_CHARS = 4000;
/** A process group is a POSIX concept, and on Windows a detached program would open a console window. */
const HAS_GROUPS = process.platform !== "win32";

/**
 * Runs a read-only program and collects its output. It gets no terminal and 1 GiB of memory. At the deadline it is
 * killed together with every program that it has started; it holds no lock that a kill could leave behind.
 *
 * @throws WorkspaceError `aborted` when the signal fires, `failed` when the program cannot be started
 */
export async function readChildOutput(command: ChildCommand): Promise<ChildOutput> {
	const { spawn } = await import("node:child_process");
	throwIfAborted(command.signal);
	const program = findProgram(command.program);
	if (program === undefined) return { type: "missing" };
	const [file, ...args] = limitMemory(program, command.args);
	const { cwd, env, input } = command;
	const stdin = input === undefined ? ("ignore" as const) : ("pipe" as const);
	try {
		const stdio = [stdin, "pipe" as const, "pipe" as const];
		const child = spawn(file, args, { cwd, env, stdio, windowsHide: true, detached: HAS_GROUPS });
		return await collect(child, command);
	} catch (error) {
		if (error instanceof WorkspaceError) throw error;
		throw new WorkspaceError("failed", `${program} could not be started: ${String(error)}`);
	}
}

function collect(child: ChildProcess, command: ChildCommand): Promise<ChildOutput> {
	return new Promise((resolve, reject) => {
		const maxBytes = command.maxBytes ?? Infinity;
		const chunks: Buffer[] = [];
		let bytes = 0;
		let stderr = "";
		const release = () => {
			clearTimeout(timer);
			command.signal?.removeEventListener("abort", onAbort);
			running.delete(child);
		};
		const stop = (output: ChildOutput) => {
			release();
			killGroup(child);
			for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
			resolve(output);
		};
		const onAbort = () => {
			reject(abortedError());
			stop({ type: "deadline" });
		};
		const timer = setTimeout(() => stop({ type: "deadline" }), command.deadlineMs);
		running.add(child);
		command.signal?.addEventListener("abort", onAbort, { once: true });
		child.stdout?.on("data", (chunk: Buffer) => {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes > maxBytes) stop({ type: "too-large" });
		});
		child.stderr?.on("data", (chunk: Buffer) => {
			if (stderr.length < MAX_STDERR_CHARS) stderr += chunk.toString("utf8");
		});
		child.on("error", (error) => {
			release();
			reject(error);
		});
		child.on("close", (code) => {
			release();
			resolve({ type: "exit", code, stdout: Buffer.concat(chunks), stderr });
		});
		// A program that ends before it has read all of its input is no fault.
		child.stdin?.on("error", () => undefined);
		child.stdin?.end(command.input);
	});
}

/** A program in a process group of its own does not end with the terminal that this process runs in. */
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach(killGroup));

function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		if (HAS_GROUPS) process.kill(-child.pid, "SIGKILL");
		else child.kill("SIGKILL");
	} catch {
		// The group has ended in the meantime.
	}
}

/** Linux enforces RLIMIT_DATA, which counts writable memory but not the files that git maps; other systems do not. */
export const CAN_LIMIT_MEMORY = process.platform === "linux" && existsSync("/bin/sh");

/** Both limits are in `packages/workspace/git/limited-git.sh`: 1 GiB of memory, 30 seconds of processor time. */
const SET_LIMITS = 'ulimit -d 1048576; ulimit -t 30; exec "$@"';

/** The command line that runs a program under the limits, where the platform has them. */
function limitMemory(
	program: string,
	args: readonly string[],
): readonly [program: string, ...args: readonly string[]] {
	return CAN_LIMIT_MEMORY ? ["/bin/sh", "-c", SET_LIMITS, "sh", program, ...args] : [program, ...args];
}

/**
 * Returns the absolute path of a program on the PATH, or undefined. A relative entry of PATH is skipped, and Windows'
 * own search of the current directory is avoided: both could run a program of the workspace.
 */
export function findProgram(name: string): string | undefined {
	if (isAbsolute(name)) return isExecutable(name) ? name : undefined;
	const file = process.platform === "win32" ? `${name}.exe` : name;
	return absoluteDirectories(process.env.PATH ?? "")
		.map((directory) => join(directory, file))
		.find(isExecutable);
}

/** The PATH without its relative entries. */
export function absolutePath(path: string): string {
	return absoluteDirectories(path).join(delimiter);
}

function absoluteDirectories(path: string): readonly string[] {
	return path.split(delimiter).filter((directory) => isAbsolute(directory));
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
