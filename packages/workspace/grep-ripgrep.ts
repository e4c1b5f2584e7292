import { closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readChildOutput } from "./child-output.ts";
import { createGitEnvironment } from "./git-safety.ts";
import {
	type FileMatches,
	keepMatches,
	type SearchFile,
	type SearchJob,
	type SearchOutcome,
} from "./grep-engine.ts";
import { isBinary } from "./line-text.mjs";
import { readCounts, readLines } from "./ripgrep-output.ts";
import { throwIfAborted, WorkspaceError } from "./workspace-error.ts";

/** What one command line may hold, with room to spare: Windows allows 32 KB, macOS 1 MB, Linux 2 MB. */
const MAX_ARGUMENT_CHARS = process.platform === "win32" ? 20_000 : 200_000;
const MAX_LINES_BATCH_BYTES = 16 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
const HEAD_BYTES = 8192;

/** Every file is named, so that no ignore rule of ripgrep's own decides; the default engine never backtracks. */
const FLAGS = [
	"--no-config",
	"--color=never",
	"--no-ignore",
	"--hidden",
	"--text",
	"--no-mmap",
	"--no-messages",
	"--with-filename",
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

/**
 * Counts first, in all files, and then reads the lines of the first files only: the answer is exact and ordered,
 * and ripgrep may use all its threads. The caller has seen to it that every path is well-formed text.
 *
 * @throws WorkspaceError `aborted`, or `failed` when ripgrep refuses
 */
export async function searchWithRipgrep(program: string, job: SearchJob): Promise<SearchOutcome> {
	const giveUpAt = performance.now() + job.deadlineMs;
	const counts = new Map<string, number>();
	let searched = 0;
	for (const batch of splitBatches(job.files)) {
		const output = await run(program, job, ["--count", "--null"], batch, giveUpAt);
		if (output === undefined) break;
		for (const [path, count] of readCounts(output)) counts.set(path, count);
		searched += batch.length;
	}
	const found = await dropBinaries(job, counts);
	const matches = await addLines(program, job, found, giveUpAt);
	return { matches, unsearched: job.files.length - searched, failed: 0 };
}

function splitBatches(files: readonly SearchFile[]): readonly (readonly SearchFile[])[] {
	const batches: SearchFile[][] = [];
	let room = 0;
	for (const file of files) {
		room -= Buffer.byteLength(file.path) + 1;
		if (room < 0) {
			batches.push([]);
			room = MAX_ARGUMENT_CHARS;
		}
		batches.at(-1)?.push(file);
	}
	return batches;
}

/** Undefined when time is up. */
async function run(
	program: string,
	job: SearchJob,
	mode: readonly string[],
	files: readonly SearchFile[],
	giveUpAt: number,
): Promise<Buffer | undefined> {
	const deadlineMs = giveUpAt - performance.now();
	if (deadlineMs <= 0) return undefined;
	const folding = job.pattern.ignoreCase ? "--ignore-case" : "--case-sensitive";
	const paths = files.map(({ path }) => (path === "-" ? "./-" : path));
	const output = await readChildOutput({
		program,
		args: [...FLAGS, ...mode, folding, "--regexp", job.pattern.rust, "--", ...paths],
		cwd: job.root,
		env: createGitEnvironment(),
		signal: job.signal,
		deadlineMs,
		maxBytes: MAX_OUTPUT_BYTES,
	});
	if (output.type === "deadline") return undefined;
	// 1 says that nothing matched, 2 also that some file could not be opened.
	if (output.type === "exit" && (output.code === 0 || output.code === 1)) return output.stdout;
	if (output.type === "exit" && output.code === 2 && output.stderr === "") return output.stdout;
	const reason = output.type === "exit" ? output.stderr.slice(0, 500) : output.type;
	throw new WorkspaceError("failed", `ripgrep (${program}) failed: ${reason}`);
}

async function dropBinaries(
	job: SearchJob,
	counts: ReadonlyMap<string, number>,
): Promise<readonly (SearchFile & { readonly count: number })[]> {
	const found: (SearchFile & { readonly count: number })[] = [];
	for (const [index, file] of job.files.entries()) {
		const count = counts.get(file.path) ?? 0;
		if (count > 0 && !isBinaryFile(`${job.root}/${file.path}`)) found.push({ ...file, count });
		if (index % 500 !== 499) continue;
		await nextTurn();
		throwIfAborted(job.signal);
	}
	return found;
}

/** Lines for the first files, until the limit is reached; read in batches that keep the output in bounds. */
async function addLines(
	program: string,
	job: SearchJob,
	found: readonly (SearchFile & { readonly count: number })[],
	giveUpAt: number,
): Promise<readonly FileMatches[]> {
	const { limit, context } = job.lines ?? { limit: 0, context: 0 };
	const matches: FileMatches[] = [];
	const mode = ["--json", `--context=${context}`, `--max-count=${limit + 1}`];
	for (let at = 0, wanted = limit; at < found.length; ) {
		const batch = wanted > 0 ? takeBatch(found, at, wanted) : found.slice(at);
		const output = wanted > 0 ? await run(program, job, mode, batch, giveUpAt) : undefined;
		const lines = output === undefined ? undefined : readLines(output);
		for (const { path, count } of batch) {
			matches.push({ path, count, lines: keepMatches(lines?.get(path) ?? [], wanted, context) });
			wanted = Math.max(0, wanted - count);
		}
		at += batch.length;
	}
	return matches;
}

function takeBatch<File extends SearchFile & { readonly count: number }>(
	found: readonly File[],
	from: number,
	wanted: number,
): readonly File[] {
	const batch: File[] = [];
	let matches = 0;
	let bytes = 0;
	for (const file of found.slice(from)) {
		batch.push(file);
		matches += file.count;
		bytes += file.bytes;
		if (matches >= wanted || bytes >= MAX_LINES_BATCH_BYTES) break;
	}
	return batch;
}

function isBinaryFile(path: string): boolean {
	try {
		const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			const head = Buffer.alloc(HEAD_BYTES);
			return isBinary(head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0)));
		} finally {
			closeSync(file);
		}
	} catch {
		return true;
	}
}
