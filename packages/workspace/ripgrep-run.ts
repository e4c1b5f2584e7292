import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type ChildOutput, readChildOutput } from "./child-output.ts";
import { createGitEnvironment } from "./git-safety.ts";
import type { LinePattern } from "./regex-dialect.ts";

export interface RipgrepCall {
	readonly program: string;
	/** Absolute. */
	readonly root: string;
	readonly pattern: Pick<LinePattern, "rust" | "ignoreCase">;
	/** What tells this call from others, before the pattern. */
	readonly flags: readonly string[];
	readonly paths: readonly string[];
	readonly signal?: AbortSignal | undefined;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
	/** Whether it prints something for each file. */
	readonly printsPieces?: boolean;
}

const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;

/** The default engine never backtracks; a file that is cut short while it is mapped would end ripgrep. */
const FLAGS = [
	"--no-config",
	"--color=never",
	"--hidden",
	"--no-mmap",
	"--no-messages",
	"--with-filename",
	"--path-separator=/",
	"--regex-size-limit=100M",
];

/** ripgrep on the PATH, or undefined. A relative entry is passed over: it could lie in the workspace. */
export function findRipgrep(): string | undefined {
	const name = process.platform === "win32" ? "rg.exe" : "rg";
	for (const directory of (process.env.PATH ?? "").split(delimiter)) {
		if (isAbsolute(directory) && existsSync(join(directory, name))) return join(directory, name);
	}
	return undefined;
}

/** Runs ripgrep; with no time left, the answer is the deadline. @throws WorkspaceError `aborted` or `failed` */
export async function runRipgrep(call: RipgrepCall): Promise<ChildOutput> {
	const deadlineMs = call.giveUpAt - performance.now();
	if (deadlineMs <= 0) return { type: "deadline", stdout: Buffer.alloc(0) };
	const folding = call.pattern.ignoreCase ? "--ignore-case" : "--case-sensitive";
	return readChildOutput({
		program: call.program,
		args: [...FLAGS, ...call.flags, folding, "--regexp", call.pattern.rust, "--", ...call.paths],
		cwd: call.root,
		env: createGitEnvironment(),
		signal: call.signal,
		deadlineMs,
		maxBytes: MAX_OUTPUT_BYTES,
		printsPieces: call.printsPieces ?? false,
	});
}
