import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isWellFormedText } from "./byte-text.mjs";
import { compareText, listFiles } from "./file-listing.ts";
import { readLimit } from "./glob.ts";
import { compileGlob } from "./glob-pattern.ts";
import {
	type FileMatches,
	keepMatches,
	MAX_FILE_BYTES,
	type SearchJob,
	type SearchOutcome,
	type SkippedFiles,
} from "./grep-engine.ts";
import { readLiteral, readRegex } from "./regex-dialect.ts";
import { isBinaryFile } from "./search-files.ts";
import { nameFromWorkspace, resolveSearchPath, type SearchPath } from "./search-path.ts";
import { showName } from "./shown-name.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface GrepRequest {
	/** A regular expression, see readRegex, or plain text when `literal` is set. */
	readonly pattern: string;
	/** File or directory to search, default the workspace. A file that is named is searched even if it is ignored. */
	readonly path?: string;
	/** Only files that match, see compileGlob. */
	readonly glob?: string;
	readonly ignoreCase?: boolean;
	readonly literal?: boolean;
	/** Lines to show before and after each match, default 0, at most 20. */
	readonly context?: number;
	/** Matches to return, or files in the modes `files` and `count`; default 100. */
	readonly limit?: number;
	readonly mode?: "lines" | "files" | "count";
}

export interface GrepContext {
	/** The workspace, an absolute path. */
	readonly cwd: string;
	readonly signal?: AbortSignal | undefined;
	/** The ripgrep program; default the one on the PATH. `false` searches with JavaScript. */
	readonly ripgrep?: string | false;
	/** Milliseconds for the search itself; default 10,000 with ripgrep, 5,000 with JavaScript. */
	readonly deadlineMs?: number;
}

export interface GrepResult {
	readonly mode: "lines" | "files" | "count";
	/** Paths relative to the workspace and not yet escaped, in the order of UTF-16 code units. */
	readonly files: readonly FileMatches[];
	/** Lines that match, in all files. */
	readonly matches: number;
	readonly limit: number;
	readonly skipped: SkippedFiles;
	readonly engine: "ripgrep" | "javascript";
}

const DEFAULT_LIMIT = 100;
const MAX_CONTEXT = 20;
const JAVASCRIPT_DEADLINE_MS = 5000;
const RIPGREP_DEADLINE_MS = 10_000;

/**
 * Lines that match a pattern, in the files that glob would list. Both engines give the same answer: ripgrep's default
 * one where it is installed, JavaScript's on a thread elsewhere. Neither can be made to hang.
 *
 * @throws WorkspaceError for a pattern or path that cannot be used, a listing that takes too long, or a cancelled one
 */
export async function grep(request: GrepRequest, context: GrepContext): Promise<GrepResult> {
	const read = request.literal === true ? readLiteral : readRegex;
	const pattern = read(request.pattern, request.ignoreCase === true);
	const limit = readLimit(request.limit, DEFAULT_LIMIT);
	const mode = request.mode ?? "lines";
	const lines = mode === "lines" ? { limit, context: readContext(request.context) } : undefined;
	const target = await readTarget(request, context);
	const job = { root: target.root, paths: target.paths, pattern, lines, signal: context.signal };
	const { outcome, engine } = await search(job, context);
	if (target.type === "file") checkSingleFile(request.path ?? "", target, outcome.skipped);
	return {
		mode,
		files: nameFiles(outcome.matches, target, lines),
		matches: outcome.matches.reduce((sum, file) => sum + file.count, 0),
		limit,
		skipped: outcome.skipped,
		engine,
	};
}

interface Target {
	readonly type: SearchPath["type"];
	/** Absolute. */
	readonly root: string;
	/** Relative to the root. */
	readonly paths: readonly string[];
	readonly name: (path: string) => string;
}

async function readTarget(request: GrepRequest, { cwd, signal }: GrepContext): Promise<Target> {
	const base = await resolveSearchPath(request.path, cwd);
	const pattern = request.glob === undefined ? undefined : await compileGlob(request.glob, base.path);
	if (base.type === "file") {
		// A link that is named is followed: it was asked for.
		const path = await realpath(base.path);
		const paths = pattern?.filter([basename(base.path)]).length === 0 ? [] : [basename(path)];
		return { type: "file", root: dirname(path), paths, name: () => nameFromWorkspace(base.path, cwd) };
	}
	const listing = await listFiles(base.path, { cwd, within: pattern?.within ?? [], signal });
	const paths = pattern?.filter(listing.files) ?? listing.files;
	return { type: "directory", root: base.path, paths, name: (path) => base.prefix + path };
}

function readContext(context: number | undefined): number {
	if (context === undefined) return 0;
	if (Number.isInteger(context) && context >= 0) return Math.min(context, MAX_CONTEXT);
	throw new WorkspaceError("bad-argument", `context is ${context}; it must be a whole number, 0 or more.`);
}

/** What is a count among many files is the answer when one was named. */
function checkSingleFile(path: string, target: Target, skipped: SkippedFiles): void {
	const refuse = (problem: string) => {
		throw new WorkspaceError("not-readable", `${showName(path)} ${problem}`);
	};
	if (skipped.large > 0)
		refuse(`is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Read parts of it instead.`);
	if (skipped.unreadable > 0) refuse("may not be read.");
	if (target.paths.some((file) => isBinaryFile(`${target.root}/${file}`))) refuse("is a binary file.");
}

type Job = Omit<SearchJob, "deadlineMs">;

async function search(job: Job, { ripgrep: wanted, deadlineMs }: GrepContext) {
	const { findRipgrep, searchWithRipgrep } = await import("./grep-ripgrep.ts");
	const { searchWithJavaScript } = await import("./grep-javascript.ts");
	const searchInThread = (paths: readonly string[]) =>
		searchWithJavaScript({ ...job, paths, deadlineMs: deadlineMs ?? JAVASCRIPT_DEADLINE_MS });
	const ripgrep = wanted === false ? undefined : (wanted ?? findRipgrep());
	if (ripgrep === undefined)
		return { outcome: await searchInThread(job.paths), engine: "javascript" as const };
	// Node cannot put a name that is not UTF-8 on a command line.
	const odd = job.paths.filter((path) => !isWellFormedText(path));
	const paths = odd.length === 0 ? job.paths : job.paths.filter(isWellFormedText);
	const limits = { deadlineMs: deadlineMs ?? RIPGREP_DEADLINE_MS };
	const outcome = await searchWithRipgrep(ripgrep, { ...job, ...limits, paths });
	if (odd.length === 0) return { outcome, engine: "ripgrep" as const };
	return { outcome: merge(outcome, await searchInThread(odd)), engine: "ripgrep" as const };
}

function merge(left: SearchOutcome, right: SearchOutcome): SearchOutcome {
	return {
		matches: [...left.matches, ...right.matches].toSorted((one, two) => compareText(one.path, two.path)),
		skipped: {
			large: left.skipped.large + right.skipped.large,
			unreadable: left.skipped.unreadable + right.skipped.unreadable,
			unsearched: left.skipped.unsearched + right.skipped.unsearched,
		},
	};
}

function nameFiles(
	matches: readonly FileMatches[],
	target: Target,
	lines: SearchJob["lines"],
): readonly FileMatches[] {
	let wanted = lines?.limit ?? 0;
	return matches.map((file) => {
		const kept = keepMatches(file.lines, wanted, lines?.context ?? 0);
		wanted = Math.max(0, wanted - file.count);
		return { path: target.name(file.path), count: file.count, lines: kept };
	});
}
