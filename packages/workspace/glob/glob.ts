/** The tool glob: files by a pattern, and the answer for the model. */

import { type CountTokens, showName } from "#basics";
import { resolveSearchPath, type SearchPath } from "../files/search-path.ts";
import { describeGaps, type ListingGaps, listFiles, type WorkspaceContext } from "../listing/file-listing.ts";
import { takeFittingLines } from "../text/shown-text.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { compileGlob } from "./glob-pattern.ts";

export interface GlobRequest {
	readonly pattern: string;
	/** Directory to search, default the workspace. */
	readonly path?: string;
	/** Paths to return, default 100. */
	readonly limit?: number;
}

export interface GlobResult extends ListingGaps {
	/** The first paths, up to the limit: escaped where needed, relative to the workspace, in the order of UTF-16 code units. */
	readonly paths: readonly string[];
	/** Files that matched. */
	readonly total: number;
}

const DEFAULT_LIMIT = 100;

/**
 * Finds the files whose path matches a glob, ignored ones left out. The pattern is compared with the path below `path`; see
 * compileGlob for its syntax and listFiles for what is ignored.
 *
 * @throws WorkspaceError for a pattern or path that cannot be used, a search that takes too long, or a cancelled one
 */
export async function glob(request: GlobRequest, context: WorkspaceContext): Promise<GlobResult> {
	const limit = readCount("limit", request.limit ?? DEFAULT_LIMIT, 1);
	const base = await resolveSearchPath(request.path, context.cwd);
	if (base.type === "file") {
		const shown = showName(request.path ?? "");
		throw new WorkspaceError("not-a-directory", `${shown} is a file. Give a directory as \`path\`.`);
	}
	const { files, ...listing } = await findFiles(base, request.pattern, context);
	const paths = files.slice(0, limit).map((path) => showName(base.prefix + path));
	return { ...listing, paths, total: files.length };
}

/** The files below a directory, relative to it, whose path matches the glob if there is one. */
export async function findFiles({ path }: SearchPath, glob: string | undefined, context: WorkspaceContext) {
	const pattern = glob === undefined ? undefined : await compileGlob(glob, path);
	const listing = await listFiles(path, { ...context, within: pattern?.within ?? [] });
	return pattern ? { ...listing, files: await pattern.filter(listing.files, context.signal) } : listing;
}

/** @throws WorkspaceError `bad-argument` unless the value of this argument is a whole number of at least `min` */
export function readCount(name: string, value: number, min: number): number {
	if (Number.isInteger(value) && value >= min) return value;
	throw new WorkspaceError(
		"bad-argument",
		`${name} is ${value}; it must be a whole number of at least ${min}.`,
	);
}

const MAX_TOKENS = 4000;

/** The answer for the model: a path a line, in at most 4,000 tokens, then a note about the paths that are left out. */
export function formatGlobResult(result: GlobResult, count: CountTokens): string {
	const { lines: paths } = takeFittingLines(result.paths, MAX_TOKENS, count);
	const lines = result.total === 0 ? ["No files match."] : [...paths];
	if (paths.length < result.total) {
		const rest = `${result.total - paths.length} more of ${result.total} files not shown`;
		lines.push(`(${rest}: narrow the pattern or raise limit)`);
	}
	for (const gap of describeGaps(result)) lines.push(`(${gap})`);
	return lines.join("\n");
}
