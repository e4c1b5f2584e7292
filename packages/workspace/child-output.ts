import type { ChildProcess } from "node:child_process";
import { type OutputFile, openOutputFile } from "./output-file.ts";
import { abortedError, throwIfAborted, WorkspaceError } from "./workspace-error.ts";

export interface ChildCommand {
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds after which the program is killed. */
	readonly deadlineMs: number;
	/** Bytes of output after which the program is killed. */
	readonly maxBytes?: number;
	/** For a program that prints in many small pieces: it writes to a file, since each piece would wake this process. */
	readonly printsPieces?: boolean;
}

export type ChildOutput =
	| { readonly type: "exit"; readonly code: number | null; readonly stdout: Buffer; readonly stderr: string }
	/** `stdout`: what came until then. */
	| { readonly type: "deadline"; readonly stdout: Buffer }
	| { readonly type: "too-large" }
	| { readonly type: "missing" };

const MAX_STDERR_CHARS = 4000;

/**
 * Runs a read-only program and collects what it prints. It gets no terminal and no input, and is killed outright at
 * the deadline: it holds no lock that a kill could leave behind.
 *
 * @throws WorkspaceError `aborted` when the signal fires, `failed` when the program cannot be started
 */
export async function readChildOutput(command: ChildCommand): Promise<ChildOutput> {
	const { spawn } = await import("node:child_process");
	throwIfAborted(command.signal);
	const { program, args, cwd, env } = command;
	const file = command.printsPieces ? openOutputFile() : undefined;
	try {
		const stdio = ["ignore" as const, file?.descriptor ?? ("pipe" as const), "pipe" as const];
		return await collect(spawn(program, args, { cwd, env, stdio, windowsHide: true }), command, file);
	} catch (error) {
		if (error instanceof WorkspaceError) throw error;
		throw new WorkspaceError("failed", `${program} could not be started: ${String(error)}`);
	} finally {
		file?.close();
	}
}

function collect(
	child: ChildProcess,
	command: ChildCommand,
	file: OutputFile | undefined,
): Promise<ChildOutput> {
	return new Promise((resolve, reject) => {
		const maxBytes = command.maxBytes ?? Number.POSITIVE_INFINITY;
		const chunks: Buffer[] = [];
		let bytes = 0;
		let stderr = "";
		let isOver = false;
		const readStdout = () => file?.read() ?? Buffer.concat(chunks);
		const timer = setTimeout(() => stop({ type: "deadline", stdout: readStdout() }), command.deadlineMs);
		const onAbort = () => {
			release();
			reject(abortedError());
		};
		const release = () => {
			isOver = true;
			clearTimeout(timer);
			command.signal?.removeEventListener("abort", onAbort);
			child.kill("SIGKILL");
			child.stdout?.destroy();
			child.stderr?.destroy();
		};
		const stop = (output: ChildOutput) => {
			release();
			resolve(output);
		};
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
			if ("code" in error && error.code === "ENOENT") return stop({ type: "missing" });
			release();
			reject(error);
		});
		child.on("close", (code) => {
			if (isOver) return;
			if (file && file.size() > maxBytes) return stop({ type: "too-large" });
			stop({ type: "exit", code, stdout: readStdout(), stderr });
		});
	});
}
