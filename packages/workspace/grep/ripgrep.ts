/**
 * Runs ripgrep, the only engine: its expressions match in linear time, so that no pattern can hang. The package
 * @vscode/ripgrep holds the program itself and downloads nothing; without its platform package (npm's
 * `--omit=optional`, a rare platform) the program of the PATH is used.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createGitEnvironment } from "../git/git-safety.ts";
import { type ChildOutput, findProgram, readChildOutput } from "../process/child-output.ts";
import { WorkspaceError } from "../workspace-error.ts";

/** A pattern that is compared with one line at a time. */
export interface LinePattern {
	/** A regular expression of Rust's regex crate, or plain text. */
	readonly text: string;
	readonly isLiteral: boolean;
	readonly ignoreCase: boolean;
}

export interface RipgrepJob {
	/** The directory in which it runs, absolute. */
	readonly root: string;
	readonly pattern: LinePattern;
	readonly signal?: AbortSignal | undefined;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
}

const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;

/**
 * Every file is named and no ignore file is read: the repository could put a device in its place. Binary files are
 * recognized by the caller. A mapped file that is cut short would end ripgrep.
 */
const FLAGS = [
	"--no-config",
	"--no-ignore",
	"--no-messages",
	"--no-mmap",
	"--text",
	"--crlf",
	"--color=never",
	"--no-heading",
	"--null",
	"--path-separator=/",
	"--regex-size-limit=50M",
	"--dfa-size-limit=50M",
];

/** Returns the path of the installed ripgrep, or undefined. */
export function findRipgrep(): string | undefined {
	return findBundled() ?? findProgram("rg");
}

function findBundled(): string | undefined {
	try {
		const require = createRequire(import.meta.url);
		const main = require.resolve("@vscode/ripgrep");
		const file = process.platform === "win32" ? "rg.exe" : "rg";
		const platform = `@vscode/ripgrep-${process.platform}-${process.arch}`;
		const program = createRequire(main).resolve(`${platform}/bin/${file}`);
		return existsSync(program) ? program : undefined;
	} catch {
		// Not installed.
		return undefined;
	}
}

/**
 * Runs ripgrep with these flags, in addition to those of every call. `target` are the files to search, or bytes to search
 * instead. With no time left, the answer is the deadline.
 *
 * @throws WorkspaceError `aborted`, or `failed` where ripgrep is missing
 */
export async function runRipgrep(
	{ pattern, root, signal, giveUpAt }: RipgrepJob,
	flags: readonly string[],
	target: readonly string[] | Buffer,
): Promise<Exclude<ChildOutput, { type: "missing" }>> {
	const deadlineMs = giveUpAt - performance.now();
	if (deadlineMs <= 0) return { type: "deadline" };
	const program = findRipgrep();
	const output =
		program &&
		(await readChildOutput({
			program,
			args: [...FLAGS, ...flags, ...patternFlags(pattern), "--", ...targetArguments(target)],
			cwd: root,
			env: createGitEnvironment(),
			input: Buffer.isBuffer(target) ? target : undefined,
			signal,
			deadlineMs,
			maxBytes: MAX_OUTPUT_BYTES,
		}));
	if (!output || output.type === "missing") throw new WorkspaceError("failed", MISSING);
	return output;
}

const MISSING =
	"ripgrep is not installed. `npm install` brings it with the optional package @vscode/ripgrep; or put `rg` on the PATH. Meanwhile use grep in bash.";

function patternFlags({ text, isLiteral, ignoreCase }: LinePattern): readonly string[] {
	const reading = isLiteral ? ["--fixed-strings"] : [];
	return [...reading, ignoreCase ? "--ignore-case" : "--case-sensitive", "--regexp", text];
}

/** `-` alone is the standard input; names get `./` in front, so that none can be taken for it. */
function targetArguments(target: readonly string[] | Buffer): readonly string[] {
	return Buffer.isBuffer(target) ? ["-"] : target.map((path) => `./${path}`);
}

/** Reads `path NUL text LF`. A path may hold a line break, but no NUL; it is given, and printed, with `./` in front. */
export function readLines(output: Buffer): readonly (readonly [path: string, text: string])[] {
	const lines = output.toString("utf8").matchAll(/([^\0]*)\0([^\n]*)\n/g);
	return [...lines].map(([, path = "", text = ""]) => [path.replace(/^\.\//, ""), text]);
}
