import { type FileMatches, keepMatches, type SearchJob, type SearchOutcome } from "./grep-engine.ts";
import { readCounts, readLines, readPaths } from "./ripgrep-output.ts";
import { runRipgrep } from "./ripgrep-run.ts";
import type { WalkedFiles } from "./ripgrep-walk.ts";
import { isBinaryFile, isReadable, measureFile, selectSearchable } from "./search-files.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** What one command line may hold, with room to spare: Windows allows 32 KB, macOS 1 MB, Linux 2 MB. */
const MAX_ARGUMENT_BYTES = process.platform === "win32" ? 20_000 : 400_000;
/** A pointer, the `./` in front, and the NUL at the end. */
const BYTES_AN_ARGUMENT = 11;
const MAX_LINES_BATCH_BYTES = 16 * 1024 * 1024;
const MANY_FILES = 500;
/** Every file is named, so that no ignore rule of ripgrep's own decides, and binary files are for us to tell. */
const BY_NAME = ["--no-ignore", "--text"];
const COUNT = [...BY_NAME, "--count", "--null"];
const WITH_NUL = [...BY_NAME, "--files-with-matches", "--null", "--encoding=none"];

export interface Search {
	readonly program: string;
	readonly job: SearchJob;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
	/** Files that need no second look. */
	readonly walked: WalkedFiles;
}

/**
 * Counts first, in all files, and then reads the lines of the first files only: the answer is exact and ordered,
 * and ripgrep may use all its threads. The caller has seen to it that every path is well-formed text.
 *
 * @throws WorkspaceError `aborted`, or `failed` when ripgrep refuses
 */
export async function searchWithRipgrep(search: Search): Promise<SearchOutcome> {
	const { job, walked } = search;
	// Most files were come upon and hold nothing: they are looked at once.
	const open = job.paths.filter((path) => walked.get(path) !== 0);
	const { counts, skipped } = await countByName(
		search,
		open.filter((path) => !walked.has(path)),
	);
	const binaries = await findBinaries(search, [...counts.keys()]);
	const isMatch = (path: string) => walked.has(path) || (counts.has(path) && !binaries.has(path));
	// What was found by name has been measured before; here too only what matches matters.
	const { files, large } = await selectSearchable(job.root, open.filter(isMatch), job.signal);
	const found = files.map((path) => ({ path, count: walked.get(path) ?? counts.get(path) ?? 0 }));
	return { matches: await addLines(search, found), skipped: { ...skipped, large: skipped.large + large } };
}

interface MatchedFile {
	readonly path: string;
	readonly count: number;
}

/** While ripgrep searches one batch, the next one's files are looked at. */
async function countByName(search: Search, paths: readonly string[]) {
	const { root, signal } = search.job;
	const counts = new Map<string, number>();
	let [large, unreadable, unsearched] = [0, 0, paths.length];
	const batches = splitBatches(paths);
	let ahead = selectSearchable(root, batches[0] ?? [], signal);
	for (const [index, batch] of batches.entries()) {
		const chosen = await ahead;
		ahead = selectSearchable(root, batches[index + 1] ?? [], signal);
		const [output] = await Promise.all([run(search, COUNT, chosen.files), ahead]);
		if (output === undefined) break;
		for (const [path, count] of readCounts(output.stdout)) counts.set(path, count);
		large += chosen.large;
		unsearched -= batch.length;
		if (output.hasFailed) unreadable += chosen.files.filter((path) => !isReadable(`${root}/${path}`)).length;
	}
	return { counts, skipped: { large, unreadable, unsearched } };
}

function splitBatches(paths: readonly string[]): readonly (readonly string[])[] {
	const batches: string[][] = [];
	let room = 0;
	for (const path of paths) {
		room -= Buffer.byteLength(path) + BYTES_AN_ARGUMENT;
		if (room < 0) {
			batches.push([]);
			room = MAX_ARGUMENT_BYTES;
		}
		batches.at(-1)?.push(path);
	}
	return batches;
}

/** The matched files that are binary. Where there are many, ripgrep rules out most: those without any NUL. */
async function findBinaries(search: Search, matched: readonly string[]): Promise<ReadonlySet<string>> {
	let suspects = matched;
	if (suspects.length > MANY_FILES) {
		const rest: string[] = [];
		for (const batch of splitBatches(suspects)) {
			const output = await run(search, WITH_NUL, batch, { rust: "(?-u:\\x00)", ignoreCase: false });
			rest.push(...(output === undefined ? batch : readPaths(output.stdout)));
		}
		suspects = rest;
	}
	return new Set(suspects.filter((path) => isBinaryFile(`${search.job.root}/${path}`)));
}

/** Undefined when time is up. */
async function run(
	{ program, job, giveUpAt }: Search,
	flags: readonly string[],
	paths: readonly string[],
	pattern: Pick<SearchJob["pattern"], "rust" | "ignoreCase"> = job.pattern,
): Promise<{ readonly stdout: Buffer; readonly hasFailed: boolean } | undefined> {
	// Without a file ripgrep would search the directory.
	if (paths.length === 0) return { stdout: Buffer.alloc(0), hasFailed: false };
	// Not `-`, which is the standard input.
	const names = paths.map((path) => `./${path}`);
	const { root, signal } = job;
	const output = await runRipgrep({ program, root, pattern, flags, paths: names, signal, giveUpAt });
	if (output.type === "deadline") return undefined;
	// 1 says that nothing matched; 2 without a word, that some file could not be opened.
	if (output.type === "exit" && (output.code === 0 || output.code === 1))
		return { stdout: output.stdout, hasFailed: false };
	if (output.type === "exit" && output.code === 2 && output.stderr === "")
		return { stdout: output.stdout, hasFailed: true };
	const reason = output.type === "exit" ? output.stderr.slice(0, 500) : output.type;
	throw new WorkspaceError("failed", `ripgrep (${program}) failed: ${reason}`);
}

/** Lines for the first files, until the limit is reached; read in batches that keep the output in bounds. */
async function addLines(search: Search, found: readonly MatchedFile[]): Promise<readonly FileMatches[]> {
	const { limit, context } = search.job.lines ?? { limit: 0, context: 0 };
	const matches: FileMatches[] = [];
	const flags = [...BY_NAME, "--json", `--context=${context}`, `--max-count=${limit + 1}`];
	for (let at = 0, wanted = limit; at < found.length; ) {
		const batch = wanted > 0 ? takeBatch(search.job.root, found, at, wanted) : found.slice(at);
		const paths = batch.map(({ path }) => path);
		const output = wanted > 0 ? await run(search, flags, paths) : undefined;
		const lines = output === undefined ? undefined : readLines(output.stdout);
		for (const { path, count } of batch) {
			matches.push({ path, count, lines: keepMatches(lines?.get(path) ?? [], wanted, context) });
			wanted = Math.max(0, wanted - count);
		}
		at += batch.length;
	}
	return matches;
}

function takeBatch(
	root: string,
	found: readonly MatchedFile[],
	from: number,
	wanted: number,
): readonly MatchedFile[] {
	let matches = 0;
	let bytes = 0;
	for (let end = from; end < found.length; end += 1) {
		const file = found[end];
		matches += file?.count ?? 0;
		bytes += measureFile(`${root}/${file?.path}`) ?? 0;
		if (matches >= wanted || bytes >= MAX_LINES_BATCH_BYTES) return found.slice(from, end + 1);
	}
	return found.slice(from);
}
