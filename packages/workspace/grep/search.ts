/** The search of a list of files: which of them may be opened, how often each matches, and the lines of the first matches. */

import {
	createLinkCheck,
	filterInSlices,
	measureFile,
	readFileHead,
	readSmallFile,
} from "../files/regular-file.ts";
import { isWellFormedText } from "../text/byte-text.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { collectLines, type GrepLine, isBinary } from "./line-window.ts";
import { type Hit, type LinePattern, readCounts, readHits, runRipgrep } from "./ripgrep.ts";

export interface SearchJob {
	/** Absolute. */
	readonly root: string;
	/** Relative to the root, in the order in which matches are wanted. Only regular files are searched. */
	readonly paths: readonly string[];
	readonly pattern: LinePattern;
	/** Undefined when counts are enough. */
	readonly lines: { readonly limit: number; readonly context: number } | undefined;
	readonly signal?: AbortSignal | undefined;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
}

export interface FileMatches {
	readonly path: string;
	/** Lines that match. */
	readonly count: number;
	/** Lines of the first matches of the whole search; empty for later files. */
	readonly lines: readonly GrepLine[];
}

export interface SearchOutcome {
	/** In the order of the job's paths. */
	readonly matches: readonly FileMatches[];
	readonly skipped: SkippedFiles;
}

/** Numbers of files that were left out, by reason. */
export interface SkippedFiles {
	/** Larger than MAX_FILE_BYTES. */
	readonly large: number;
	/** Could not be opened. */
	readonly unreadable: number;
	/** Not reached before the deadline. */
	readonly unsearched: number;
}

/** Bytes of one command line, with a margin: Windows allows 32 KB, macOS 1 MB, Linux 2 MB. */
const MAX_ARGUMENT_BYTES = process.platform === "win32" ? 20_000 : 400_000;
/** A pointer, the `./` in front, and the NUL at the end. */
const BYTES_AN_ARGUMENT = 11;
const COUNT = ["--count", "--with-filename"];

/**
 * Counts the matches in all files, and then reads the lines of the first files only: the answer is exact and ordered,
 * and ripgrep may use all of its threads.
 *
 * @throws WorkspaceError `aborted`, or `failed` when ripgrep is missing or breaks down
 */
export async function searchFiles(job: SearchJob): Promise<SearchOutcome> {
	const select = createSelector(job.root, job.signal);
	const batches = splitBatches(job.paths);
	const counts = new Map<string, number>();
	let [large, unreadable, unsearched] = [0, 0, job.paths.length];
	// While ripgrep searches one batch, the files of the next one are checked.
	let ahead = select(batches[0] ?? []);
	for (const [index, batch] of batches.entries()) {
		const chosen = await ahead;
		ahead = select(batches[index + 1] ?? []);
		const [output] = await Promise.all([run(job, COUNT, chosen.files), ahead]);
		if (output === undefined) break;
		for (const [path, count] of readCounts(output.stdout)) counts.set(output.only ?? path, count);
		large += chosen.large;
		unsearched -= batch.length;
		if (output.hasFailed)
			unreadable += chosen.files.filter((path) => !readFileHead(`${job.root}/${path}`, 1)).length;
	}
	const found = job.paths.flatMap((path): readonly Found[] => {
		const count = counts.get(path) ?? 0;
		return count > 0 && !isBinaryFile(`${job.root}/${path}`) ? [[path, count]] : [];
	});
	return { matches: await addLines(job, found), skipped: { large, unreadable, unsearched } };
}

/** Files of one command line. Node cannot put a name on it that is not UTF-8: such a file is a batch of its own. */
function splitBatches(paths: readonly string[]): readonly (readonly string[])[] {
	const batches: string[][] = [];
	let bytesLeft = 0;
	for (const path of paths.filter(isWellFormedText)) {
		bytesLeft -= Buffer.byteLength(path) + BYTES_AN_ARGUMENT;
		if (bytesLeft < 0) {
			batches.push([]);
			bytesLeft = MAX_ARGUMENT_BYTES;
		}
		batches.at(-1)?.push(path);
	}
	return [...batches, ...paths.filter((path) => !isWellFormedText(path)).map((path) => [path])];
}

type Found = readonly [path: string, count: number];

/** Adds the lines of the first files, until the limit is reached. */
async function addLines(job: SearchJob, found: readonly Found[]): Promise<readonly FileMatches[]> {
	const { limit, context } = job.lines ?? { limit: 0, context: 0 };
	const first = takeUntil(found, limit);
	const hits = await findHits(job, first, limit);
	const matches: FileMatches[] = [];
	let wanted = limit;
	for (const [path, count] of found) {
		const places = hits.get(path);
		const bytes = places && wanted > 0 ? readSmallFile(`${job.root}/${path}`, MAX_FILE_BYTES) : undefined;
		const lines = bytes && places ? collectLines(bytes, places, wanted, context) : [];
		matches.push({ path, count, lines });
		wanted = Math.max(0, wanted - count);
	}
	return matches;
}

/** The paths of the first files that hold `limit` matches together. */
function takeUntil(found: readonly Found[], limit: number): readonly string[] {
	let matches = 0;
	return found.flatMap(([path, count]) => {
		const isWanted = matches < limit;
		matches += count;
		return isWanted ? [path] : [];
	});
}

async function findHits(
	job: SearchJob,
	paths: readonly string[],
	limit: number,
): Promise<ReadonlyMap<string, readonly Hit[]>> {
	const flags = [
		"--line-number",
		"--column",
		"--max-columns=1",
		"--with-filename",
		`--max-count=${limit + 1}`,
	];
	const hits = new Map<string, readonly Hit[]>();
	for (const batch of splitBatches(paths)) {
		const output = await run(job, flags, batch);
		for (const [path, places] of output ? readHits(output.stdout) : [])
			hits.set(output?.only ?? path, places);
	}
	return hits;
}

interface Printed {
	readonly stdout: Buffer;
	/** True when ripgrep could not open a file. */
	readonly hasFailed: boolean;
	/** The one file that was searched as the standard input of ripgrep, which does not print its name. */
	readonly only?: string;
}

/** Searches one batch; undefined when the time is up. */
async function run(
	{ root, pattern, signal, giveUpAt }: SearchJob,
	flags: readonly string[],
	files: readonly string[],
): Promise<Printed | undefined> {
	const [only] = files.filter((path) => !isWellFormedText(path));
	const bytes = only === undefined ? undefined : readSmallFile(`${root}/${only}`, MAX_FILE_BYTES);
	// Without a file ripgrep would search the directory.
	if (files.length === 0 || (only !== undefined && !bytes))
		return { stdout: Buffer.alloc(0), hasFailed: files.length > 0 };
	const output = await runRipgrep({ root, pattern, flags, target: bytes ?? files, signal, giveUpAt });
	if (output.type === "deadline") return undefined;
	// Code 1: nothing matched. Code 2 without a message: some file could not be opened.
	const hasFailed = output.type === "exit" && output.code === 2 && output.stderr === "";
	if (output.type === "exit" && (output.code === 0 || output.code === 1 || hasFailed))
		return { stdout: output.stdout, hasFailed, ...(only !== undefined && { only }) };
	const reason = output.type === "exit" ? output.stderr.slice(0, 500) : output.type;
	throw new WorkspaceError("failed", `ripgrep failed: ${reason}`);
}

export const MAX_FILE_BYTES = 16 * 1024 * 1024;

const HEAD_BYTES = 8192;

/**
 * Selects the regular files of bounded size, in their order. Symbolic links lead elsewhere and are left out, in the place of
 * a file and of a directory above it; so are pipes and devices, which would block, and files that have vanished.
 */
function createSelector(root: string, signal: AbortSignal | undefined) {
	const isInside = createLinkCheck(root);
	return async (paths: readonly string[]) => {
		let large = 0;
		const isSearched = (path: string) => {
			const bytes = isInside(path) ? measureFile(`${root}/${path}`) : undefined;
			if (bytes !== undefined && bytes > MAX_FILE_BYTES) large += 1;
			return bytes !== undefined && bytes <= MAX_FILE_BYTES;
		};
		return { files: await filterInSlices(paths, isSearched, signal), large };
	};
}

/** True for a regular file that grep skips as binary; false when it cannot be opened. */
export function isBinaryFile(path: string): boolean {
	const head = readFileHead(path, HEAD_BYTES);
	return head !== undefined && isBinary(head);
}
