import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type FileListing, listFiles } from "./file-listing.ts";
import { readLimit } from "./glob.ts";
import { compileGlob } from "./glob-pattern.ts";
import {
	type FileMatches,
	keepMatches,
	MAX_FILE_BYTES,
	type SearchJob,
	type SkippedFiles,
} from "./grep-engine.ts";
import { type EngineName, type SearchOptions, startSearch } from "./grep-search.ts";
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

export interface GrepContext extends SearchOptions {
	/** The workspace, an absolute path. */
	readonly cwd: string;
	readonly signal?: AbortSignal | undefined;
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
	readonly engine: EngineName;
}

const DEFAULT_LIMIT = 100;
const MAX_CONTEXT = 20;

/**
 * Lines that match a pattern, in the files that glob would list. No pattern can make it hang.
 *
 * @throws WorkspaceError for a pattern or path that cannot be used, a listing that takes too long, or a cancelled one
 */
export async function grep(request: GrepRequest, context: GrepContext): Promise<GrepResult> {
	const read = request.literal === true ? readLiteral : readRegex;
	const pattern = read(request.pattern, request.ignoreCase === true);
	const limit = readLimit(request.limit, DEFAULT_LIMIT);
	const mode = request.mode ?? "lines";
	const lines = mode === "lines" ? { limit, context: readContext(request.context) } : undefined;
	const place = await findPlace(request, context.cwd);
	const { root, isWhole, name } = place;
	const search = startSearch({ root, pattern, lines, signal: context.signal, isWhole }, context);
	try {
		const { files: paths, unreadableDirectories } = await place.list(context.signal);
		const { matches, skipped } = await search.finish(paths);
		if (place.type === "file") checkSingleFile(request.path ?? "", root, paths, skipped);
		return {
			mode,
			files: nameFiles(matches, name, lines),
			matches: matches.reduce((sum, file) => sum + file.count, 0),
			limit,
			skipped,
			unreadableDirectories,
			engine: search.engine,
		};
	} finally {
		search.stop();
	}
}

type Listing = Pick<FileListing, "files" | "unreadableDirectories">;

/** Where to search. */
interface Place extends Pick<SearchPath, "type"> {
	/** Absolute. */
	readonly root: string;
	readonly isWhole: boolean;
	/** The files to search, relative to the root. */
	readonly list: (signal: AbortSignal | undefined) => Promise<Listing>;
	/** What the answer calls them. */
	readonly name: (path: string) => string;
}

async function findPlace(request: GrepRequest, cwd: string): Promise<Place> {
	const base = await resolveSearchPath(request.path, cwd);
	const filter = request.glob === undefined ? undefined : await compileGlob(request.glob, base.path);
	if (base.type === "directory") {
		const list = async (signal: AbortSignal | undefined) => {
			const options = { cwd, within: filter?.within ?? [], withGone: true, signal };
			const listing = await listFiles(base.path, options);
			return filter ? { ...listing, files: await filter.filter(listing.files, signal) } : listing;
		};
		const isWhole = filter === undefined;
		return { type: base.type, root: base.path, isWhole, list, name: (path) => base.prefix + path };
	}
	// A link that is named is followed: it was asked for.
	const path = await realpath(base.path);
	const paths = (await filter?.filter([basename(base.path)]))?.length === 0 ? [] : [basename(path)];
	const name = () => nameFromWorkspace(base.path, cwd);
	return {
		type: base.type,
		root: dirname(path),
		isWhole: false,
		list: async () => ({ files: paths, unreadableDirectories: 0 }),
		name,
	};
}

function readContext(context: number | undefined): number {
	if (context === undefined) return 0;
	if (Number.isInteger(context) && context >= 0) return Math.min(context, MAX_CONTEXT);
	throw new WorkspaceError("bad-argument", `context is ${context}; it must be a whole number, 0 or more.`);
}

/** What is a count among many files is the answer when one was named. */
function checkSingleFile(named: string, root: string, paths: readonly string[], skipped: SkippedFiles): void {
	const refuse = (problem: string) => {
		throw new WorkspaceError("not-readable", `${showName(named)} ${problem}`);
	};
	if (skipped.large > 0)
		refuse(`is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Read parts of it instead.`);
	if (skipped.unreadable > 0) refuse("may not be read.");
	if (paths.some((file) => isBinaryFile(`${root}/${file}`))) refuse("is a binary file.");
}

function nameFiles(
	matches: readonly FileMatches[],
	name: Place["name"],
	lines: SearchJob["lines"],
): readonly FileMatches[] {
	let wanted = lines?.limit ?? 0;
	return matches.map((file) => {
		const kept = keepMatches(file.lines, wanted, lines?.context ?? 0);
		wanted = Math.max(0, wanted - file.count);
		return { path: name(file.path), count: file.count, lines: kept };
	});
}
