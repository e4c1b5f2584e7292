import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { readChildOutput } from "./child-output.ts";
import { createGitEnvironment } from "./git-safety.ts";
import { type FileMatches, keepMatches, type SearchJob, type SearchOutcome } from "./grep-engine.ts";
import { readCounts, readLines, stripDot } from "./ripgrep-output.ts";
import { isBinaryFile, isReadable, type SearchFile, selectSearchable } from "./search-files.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** What one command line may hold, with room to spare: Windows allows 32 KB, macOS 1 MB, Linux 2 MB. */
const MAX_ARGUMENT_BYTES = process.platform === "win32" ? 20_000 : 400_000;
const BYTES_AN_ARGUMENT = 9;
const MAX_LINES_BATCH_BYTES = 16 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
const MANY_FILES = 500;
const COUNT = ["--count", "--null"];
const SUSPECT = ["--files-with-matches", "--null", "--encoding=none"];

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
	const search: Search = { program, job, giveUpAt: performance.now() + job.deadlineMs };
	const { matched, skipped } = await countMatches(search);
	const binaries = await findBinaries(search, matched);
	const found = matched.filter(({ path }) => !binaries.has(path));
	return { matches: await addLines(search, found), skipped };
}

interface Search {
	readonly program: string;
	readonly job: SearchJob;
	readonly giveUpAt: number;
}

interface MatchedFile extends SearchFile {
	readonly count: number;
}

/** While ripgrep searches one batch, the next one's files are looked at. */
async function countMatches(search: Search) {
	const { root, paths, signal } = search.job;
	const matched: MatchedFile[] = [];
	let [large, unreadable, unsearched] = [0, 0, paths.length];
	const batches = splitBatches(paths);
	let ahead = selectSearchable(root, batches[0] ?? [], signal);
	for (const [index, batch] of batches.entries()) {
		const chosen = await ahead;
		ahead = selectSearchable(root, batches[index + 1] ?? [], signal);
		const [output] = await Promise.all([run(search, COUNT, chosen.files), ahead]);
		if (output === undefined) break;
		const counts = readCounts(output.stdout);
		for (const file of chosen.files) {
			const count = counts.get(file.path);
			if (count !== undefined) matched.push({ ...file, count });
		}
		large += chosen.large;
		unsearched -= batch.length;
		if (output.hasFailed)
			unreadable += chosen.files.filter((file) => !isReadable(`${root}/${file.path}`)).length;
	}
	return { matched, skipped: { large, unreadable, unsearched } };
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
async function findBinaries(search: Search, matched: readonly MatchedFile[]): Promise<ReadonlySet<string>> {
	let suspects: readonly string[] = matched.map(({ path }) => path);
	if (suspects.length > MANY_FILES) {
		const outputs: string[] = [];
		for (const batch of splitBatches(suspects)) {
			const files = batch.map((path) => ({ path, bytes: 0 }));
			const output = await run(search, SUSPECT, files, "(?-u:\\x00|^\\xFF\\xFE|^\\xFE\\xFF)");
			outputs.push(output === undefined ? batch.join("\0") : output.stdout.toString("utf8"));
		}
		suspects = outputs
			.flatMap((output) => output.split("\0"))
			.filter((path) => path !== "")
			.map(stripDot);
	}
	return new Set(suspects.filter((path) => isBinaryFile(`${search.job.root}/${path}`)));
}

/** Undefined when time is up. */
async function run(
	{ program, job, giveUpAt }: Search,
	mode: readonly string[],
	files: readonly SearchFile[],
	pattern = job.pattern.rust,
): Promise<{ readonly stdout: Buffer; readonly hasFailed: boolean } | undefined> {
	const deadlineMs = giveUpAt - performance.now();
	if (deadlineMs <= 0) return undefined;
	// Without a file ripgrep would search the directory.
	if (files.length === 0) return { stdout: Buffer.alloc(0), hasFailed: false };
	const folding = job.pattern.ignoreCase ? "--ignore-case" : "--case-sensitive";
	const paths = files.map(({ path }) => (path === "-" ? "./-" : path));
	const output = await readChildOutput({
		program,
		args: [...FLAGS, ...mode, folding, "--regexp", pattern, "--", ...paths],
		cwd: job.root,
		env: createGitEnvironment(),
		signal: job.signal,
		deadlineMs,
		maxBytes: MAX_OUTPUT_BYTES,
	});
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
	const mode = ["--json", `--context=${context}`, `--max-count=${limit + 1}`];
	for (let at = 0, wanted = limit; at < found.length; ) {
		const batch = wanted > 0 ? takeBatch(found, at, wanted) : found.slice(at);
		const output = wanted > 0 ? await run(search, mode, batch) : undefined;
		const lines = output === undefined ? undefined : readLines(output.stdout);
		for (const { path, count } of batch) {
			matches.push({ path, count, lines: keepMatches(lines?.get(path) ?? [], wanted, context) });
			wanted = Math.max(0, wanted - count);
		}
		at += batch.length;
	}
	return matches;
}

function takeBatch(found: readonly MatchedFile[], from: number, wanted: number): readonly MatchedFile[] {
	const batch: MatchedFile[] = [];
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
