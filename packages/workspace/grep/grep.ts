/** The tool grep: lines by a pattern, and the answer for the model. */

import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type CountTokens, countOf, showName, sum } from "#basics";
import { nameFromWorkspace, resolveSearchPath, type SearchPath } from "../files/search-path.ts";
import { findFiles, readCount } from "../glob/glob.ts";
import { compileGlob } from "../glob/glob-pattern.ts";
import { describeGaps, type ListingGaps, type WorkspaceContext } from "../listing/file-listing.ts";
import { takeFittingLines } from "../text/shown-text.ts";
import { WorkspaceError } from "../workspace-error.ts";
import type { GrepLine } from "./line-window.ts";
import { checkPattern, readPattern } from "./pattern.ts";
import { type FileMatches, isBinaryFile, MAX_FILE_BYTES, type SkippedFiles, searchFiles } from "./search.ts";

export interface GrepRequest {
	/** A regular expression of ripgrep's default engine, or plain text when `literal` is set. */
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

export interface GrepResult extends ListingGaps {
	readonly mode: "lines" | "files" | "count";
	/** Paths relative to the workspace and not yet escaped, in the order of UTF-16 code units. */
	readonly files: readonly FileMatches[];
	/** Lines that match, in all files. */
	readonly matches: number;
	readonly limit: number;
	readonly skipped: SkippedFiles;
}

const DEFAULT_LIMIT = 100;
const MAX_CONTEXT = 20;
const SEARCH_DEADLINE_MS = 10_000;

/**
 * Lines that match a pattern, in the files that glob would list. No pattern can make it hang.
 *
 * @throws WorkspaceError for a pattern or path that cannot be used, a listing that takes too long, or a cancelled one
 */
export async function grep(request: GrepRequest, context: WorkspaceContext): Promise<GrepResult> {
	const { cwd, signal, deadlineMs = SEARCH_DEADLINE_MS } = context;
	const pattern = readPattern(request.pattern, request.literal === true, request.ignoreCase === true);
	const limit = readCount("limit", request.limit ?? DEFAULT_LIMIT, 1);
	const mode = request.mode ?? "lines";
	const around = Math.min(readCount("context", request.context ?? 0, 0), MAX_CONTEXT);
	const lines = mode === "lines" ? { limit, context: around } : undefined;
	const base = await resolveSearchPath(request.path, cwd);
	const [{ root, paths, gaps }] = await Promise.all([
		base.type === "file" ? namedFile(base, request.glob) : filesBelow(base, request.glob, context),
		checkPattern(pattern, cwd, signal),
	]);
	const giveUpAt = performance.now() + deadlineMs;
	const { matches, skipped } = await searchFiles({ root, paths, pattern, lines, signal, giveUpAt });
	if (base.type === "file") checkSingleFile(request.path ?? "", root, paths, skipped);
	const nameOf = (path: string) =>
		base.type === "file" ? nameFromWorkspace(base.path, cwd) : base.prefix + path;
	return {
		...gaps,
		mode,
		files: matches.map((file) => ({ ...file, path: nameOf(file.path) })),
		matches: sum(matches, (file) => file.count),
		limit,
		skipped,
	};
}

async function filesBelow(base: SearchPath, glob: string | undefined, context: WorkspaceContext) {
	const { files: paths, ...gaps } = await findFiles(base, glob, context);
	return { root: base.path, paths, gaps };
}

/** A link that the request names is followed; `resolveSearchPath` has looked where it leads. */
async function namedFile({ path }: SearchPath, glob: string | undefined) {
	const target = await realpath(path);
	const pattern = glob === undefined ? undefined : await compileGlob(glob, path);
	const isLeftOut = (await pattern?.filter([basename(path)]))?.length === 0;
	const gaps: ListingGaps = { unreadableDirectories: 0, unlistedRepositories: 0 };
	return { root: dirname(target), paths: isLeftOut ? [] : [basename(target)], gaps };
}

/** A skipped file is a note among many files, and an error when the request names it. */
function checkSingleFile(named: string, root: string, paths: readonly string[], skipped: SkippedFiles): void {
	const refuse = (problem: string) => {
		throw new WorkspaceError("not-readable", `${showName(named)} ${problem}`);
	};
	if (skipped.large > 0)
		refuse(`is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Read parts of it instead.`);
	if (skipped.unreadable > 0) refuse("may not be read.");
	if (paths.some((file) => isBinaryFile(`${root}/${file}`))) refuse("is a binary file.");
}

const MAX_TOKENS = 5000;

/** The answer for the model: at most 5,000 tokens of matches, then notes about what is left out. */
export function formatGrepResult(result: GrepResult, count: CountTokens): string {
	const shown = result.mode === "lines" ? showLines(result, count) : showFiles(result, count);
	const head = result.matches === 0 ? ["No matches."] : shown.lines;
	return [...head, ...describeRest(result, shown.matches, shown.files)].join("\n");
}

interface Shown {
	readonly lines: readonly string[];
	readonly matches: number;
	readonly files: number;
}

/** A path is on a line of its own, with `12: text` for a match and `13- text` for a line around it below. */
function showLines(result: GrepResult, count: CountTokens): Shown {
	const lines: string[] = [];
	let tokensLeft = MAX_TOKENS;
	let matches = 0;
	let files = 0;
	for (const file of result.files) {
		if (file.lines.length === 0) break;
		const block = [...(files > 0 ? [""] : []), showName(file.path), ...file.lines.map(showLine)];
		const { lines: fitting, tokens } = takeFittingLines(block, tokensLeft, count);
		const whole = fitting.length === block.length;
		if (!whole && fitting.length < (files > 0 ? 3 : 2)) break;
		lines.push(...fitting);
		tokensLeft -= tokens;
		const taken = file.lines.slice(0, fitting.length - (files > 0 ? 2 : 1));
		matches += taken.filter((line) => line.type === "match").length;
		files += 1;
		if (!whole) break;
	}
	return { lines, matches, files };
}

function showFiles(result: GrepResult, count: CountTokens): Shown {
	const show = (file: FileMatches) =>
		result.mode === "count" ? `${showName(file.path)}: ${file.count}` : showName(file.path);
	const { lines } = takeFittingLines(result.files.slice(0, result.limit).map(show), MAX_TOKENS, count);
	const shown = result.files.slice(0, lines.length);
	return { lines, matches: sum(shown, (file) => file.count), files: lines.length };
}

/** Control characters could move a terminal's cursor, and escaped bytes are no characters at all. */
function showLine(line: GrepLine): string {
	const text = line.text.replace(/(?!\t)\p{Cc}|\p{Cs}/gu, "\uFFFD");
	return line.type === "match" ? `${line.number}: ${text}` : `${line.number}- ${text}`;
}

/** Notes about matches that are not shown and files that were not searched. */
function describeRest(result: GrepResult, matches: number, files: number): readonly string[] {
	const notes: string[] = [];
	const { large, unreadable, unsearched } = result.skipped;
	if (matches < result.matches) {
		const rest = `${result.matches - matches} of ${result.matches} matching lines`;
		notes.push(
			`${rest} in ${countOf(result.files.length, "file")} not shown: narrow the search or raise limit`,
		);
	} else if (files < result.files.length) {
		notes.push(`${result.files.length - files} of ${result.files.length} files not shown`);
	}
	if (unsearched > 0)
		notes.push(
			`time was up: ${countOf(unsearched, "file")} not searched; use a simpler pattern or a narrower path`,
		);
	if (large > 0) notes.push(`${countOf(large, "file")} larger than 16 MiB skipped`);
	if (unreadable > 0) notes.push(`${countOf(unreadable, "file")} could not be read`);
	notes.push(...describeGaps(result));
	return notes.map((note) => `(${note})`);
}
