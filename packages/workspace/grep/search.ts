/** The search of a list of files: which of them may be opened, how often each matches, and the lines of the first matches. */

import { append } from "#basics";
import {
	createLinkCheck,
	filterInSlices,
	measureFile,
	readFileHead,
	readSmallFile,
} from "../files/regular-file.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { collectLines, type GrepLine, type Hit, isBinary } from "./line-window.ts";
import { type RipgrepJob, readLines, runRipgrep } from "./ripgrep.ts";

export interface SearchJob extends RipgrepJob {
	/** Relative to the root, in the order in which matches are wanted. Only regular files are searched. */
	readonly paths: readonly string[];
	/** Undefined when counts are enough. */
	readonly lines: { readonly limit: number; readonly context: number } | undefined;
}

export interface FileMatches {
	readonly path: string;
	/** Lines that match. */
	readonly count: number;
	/** Lines of the first matches of the whole search; empty for later files. */
	readonly lines: readonly GrepLine[];
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
 * Counts the matches in all files, and then reads the lines of the first files only, until the limit is reached: the answer is exact
 * and in the order of the job's paths, and ripgrep may use all of its threads.
 *
 * @throws WorkspaceError `aborted`, or `failed` when ripgrep is missing or breaks down
 */
export async function searchFiles(job: SearchJob) {
	const { counts, skipped } = await countMatches(job);
	const fileOf = (path: string) => `${job.root}/${path}`;
	const found = job.paths.filter((path) => counts.has(path) && !isBinaryFile(fileOf(path)));
	const { limit, context } = job.lines ?? { limit: 0, context: 0 };
	let before = 0;
	const matches = found.map((path) => {
		const count = counts.get(path) ?? 0;
		before += count;
		return { path, count, keep: limit - (before - count) };
	});
	const hits = await findHits(
		job,
		matches.filter(({ keep }) => keep > 0).map(({ path }) => path),
		limit,
	);
	return {
		skipped,
		matches: matches.map(({ path, count, keep }): FileMatches => {
			const places = hits.get(path);
			const bytes = places && readSmallFile(fileOf(path), MAX_FILE_BYTES);
			return { path, count, lines: bytes && places ? collectLines(bytes, places, keep, context) : [] };
		}),
	};
}

async function countMatches(job: SearchJob) {
	const select = createSelector(job.root, job.signal);
	const batches = splitBatches(job.paths);
	const counts = new Map<string, number>();
	const skipped = { large: 0, unreadable: 0, unsearched: job.paths.length };
	// While ripgrep searches one batch, the files of the next one are checked.
	let ahead = select(batches[0] ?? []);
	for (const [index, batch] of batches.entries()) {
		const chosen = await ahead;
		ahead = select(batches[index + 1] ?? []);
		const [output] = await Promise.all([run(job, COUNT, chosen.files), ahead]);
		if (output === undefined) break;
		for (const [path, count] of output.lines) counts.set(path, Number(count));
		skipped.large += chosen.large;
		skipped.unsearched -= batch.length;
		if (output.hasFailed)
			skipped.unreadable += chosen.files.filter((path) => !readFileHead(`${job.root}/${path}`, 1)).length;
	}
	return { counts, skipped };
}

/** The files of each command line. */
function splitBatches(paths: readonly string[]): readonly (readonly string[])[] {
	const batches: string[][] = [];
	let bytesLeft = 0;
	for (const path of paths) {
		bytesLeft -= Buffer.byteLength(path) + BYTES_AN_ARGUMENT;
		if (bytesLeft < 0) {
			batches.push([]);
			bytesLeft = MAX_ARGUMENT_BYTES;
		}
		batches.at(-1)?.push(path);
	}
	return batches;
}

/** The lines themselves are not printed, because one may be as long as its file. */
const PLACES = ["--line-number", "--column", "--max-columns=1", "--with-filename"];

async function findHits(job: SearchJob, paths: readonly string[], limit: number) {
	const hits = new Map<string, Hit[]>();
	for (const batch of splitBatches(paths)) {
		const output = await run(job, [...PLACES, `--max-count=${limit + 1}`], batch);
		for (const [path, text] of output?.lines ?? []) {
			const [line = 0, column = 1] = text.split(":", 2).map(Number);
			append(hits, path, { line, bytesBefore: column - 1 });
		}
	}
	return hits;
}

/** Searches one batch; `hasFailed` if ripgrep could not open a file. Undefined when the time is up. */
async function run(job: SearchJob, flags: readonly string[], files: readonly string[]) {
	// Without a file ripgrep would search the directory.
	if (files.length === 0) return { lines: [], hasFailed: false };
	const output = await runRipgrep(job, flags, files);
	if (output.type === "deadline") return undefined;
	// Code 1: nothing matched. Code 2 without a message: some file could not be opened.
	const hasFailed = output.type === "exit" && output.code === 2 && output.stderr === "";
	if (output.type === "exit" && (output.code === 0 || output.code === 1 || hasFailed)) {
		return { lines: readLines(output.stdout), hasFailed };
	}
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
