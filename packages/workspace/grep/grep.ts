import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { nameFromWorkspace, resolveSearchPath, type SearchPath } from "../files/search-path.ts";
import { readLimit } from "../glob/glob.ts";
import { compileGlob } from "../glob/glob-pattern.ts";
import { type FileListing, listFiles } from "../listing/file-listing.ts";
import { showName } from "../text/shown-name.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { checkPattern, readPattern } from "./pattern.ts";
import { type FileMatches, type SkippedFiles, searchFiles } from "./search.ts";
import { isBinaryFile, MAX_FILE_BYTES } from "./searchable-files.ts";

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

export interface GrepContext {
	/** The workspace, an absolute path. */
	readonly cwd: string;
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds for the search itself; default 10,000. */
	readonly deadlineMs?: number | undefined;
}

export interface GrepResult {
	readonly mode: "lines" | "files" | "count";
	/** Paths relative to the workspace and not yet escaped, in the order of UTF-16 code units. */
	readonly files: readonly FileMatches[];
	/** Lines that match, in all files. */
	readonly matches: number;
	readonly limit: number;
	readonly skipped: SkippedFiles;
	readonly unreadableDirectories: number;
}

const DEFAULT_LIMIT = 100;
const MAX_CONTEXT = 20;
const SEARCH_DEADLINE_MS = 10_000;

/**
 * Lines that match a pattern, in the files that glob would list. No pattern can make it hang.
 *
 * @throws WorkspaceError for a pattern or path that cannot be used, a listing that takes too long, or a cancelled one
 */
export async function grep(request: GrepRequest, context: GrepContext): Promise<GrepResult> {
	const { cwd, signal, deadlineMs = SEARCH_DEADLINE_MS } = context;
	const pattern = readPattern(request.pattern, request.literal === true, request.ignoreCase === true);
	const limit = readLimit(request.limit, DEFAULT_LIMIT);
	const mode = request.mode ?? "lines";
	const lines = mode === "lines" ? { limit, context: readContext(request.context) } : undefined;
	const { type, root, list, name } = await findPlace(request, cwd);
	const [{ files: paths, unreadableDirectories }] = await Promise.all([
		list(signal),
		checkPattern(pattern, root, signal),
	]);
	const giveUpAt = performance.now() + deadlineMs;
	const { matches, skipped } = await searchFiles({ root, paths, pattern, lines, signal, giveUpAt });
	if (type === "file") checkSingleFile(request.path ?? "", root, paths, skipped);
	return {
		mode,
		files: matches.map((file) => ({ ...file, path: name(file.path) })),
		matches: matches.reduce((sum, file) => sum + file.count, 0),
		limit,
		skipped,
		unreadableDirectories,
	};
}

type Listing = Pick<FileListing, "files" | "unreadableDirectories">;

/** The place to search. */
interface Place extends Pick<SearchPath, "type"> {
	/** Absolute. */
	readonly root: string;
	/** The files to search, relative to the root. */
	readonly list: (signal: AbortSignal | undefined) => Promise<Listing>;
	/** The name of a file in the answer. */
	readonly name: (path: string) => string;
}

async function findPlace(request: GrepRequest, cwd: string): Promise<Place> {
	const base = await resolveSearchPath(request.path, cwd);
	const filter = request.glob === undefined ? undefined : await compileGlob(request.glob, base.path);
	if (base.type === "directory") {
		const list = async (signal: AbortSignal | undefined) => {
			const options = { cwd, within: filter?.within ?? [], withMissing: true, signal };
			const listing = await listFiles(base.path, options);
			return filter ? { ...listing, files: await filter.filter(listing.files, signal) } : listing;
		};
		return { type: base.type, root: base.path, list, name: (path) => base.prefix + path };
	}
	// A link that the request names is followed.
	const path = await realpath(base.path);
	const paths = (await filter?.filter([basename(base.path)]))?.length === 0 ? [] : [basename(path)];
	const name = () => nameFromWorkspace(base.path, cwd);
	return {
		type: base.type,
		root: dirname(path),
		list: async () => ({ files: paths, unreadableDirectories: 0 }),
		name,
	};
}

function readContext(context: number | undefined): number {
	if (context === undefined) return 0;
	if (Number.isInteger(context) && context >= 0) return Math.min(context, MAX_CONTEXT);
	throw new WorkspaceError("bad-argument", `context is ${context}; it must be a whole number, 0 or more.`);
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
