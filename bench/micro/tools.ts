/**
 * Times glob, grep and git status in turns with the programs that do the same, so that other load on the machine falls on all
 * alike. tinybench cannot interleave its tasks, or pair a round with the round of a baseline.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { CwlError } from "#pi";
import { markdownTable } from "#replay";
import { findRipgrep, glob, grep, readGitStatus } from "#workspace";
import { createProgress, percentile } from "../bench.ts";
import { COMMON_LITERAL, createBenchTree, NO_PREFIX_PATTERN, RARE_LITERAL } from "./bench-tree.ts";

export interface ToolsReport {
	/** Versions of the compared programs; null if not installed. */
	readonly versions: Readonly<Record<string, string | null>>;
	readonly rounds: number;
	/** Files of the tree, a quarter of them not ignored. */
	readonly files: number;
	readonly subjects: readonly Subject[];
}

interface Subject {
	readonly name: string;
	/** The unit of the last column. */
	readonly counts: string;
	readonly timings: readonly Timing[];
}

interface ToolsOptions {
	/** Files of the tree that is made for it, three quarters of them ignored. */
	readonly files: number;
	/** Runs of each program. */
	readonly rounds: number;
	readonly signal: AbortSignal;
}

/** @throws CwlError `no-program` without ripgrep or git, the baselines */
export async function measureTools({ files, rounds, signal }: ToolsOptions): Promise<ToolsReport> {
	// The ripgrep that the package brings stands behind all others on the PATH.
	const ripgrep = findRipgrep();
	if (ripgrep) process.env.PATH = [process.env.PATH ?? "", dirname(ripgrep)].join(delimiter);
	const versions = Object.fromEntries(["rg", "git", "fd"].map((name) => [name, programVersion(name)]));
	for (const program of ["rg", "git"]) {
		if (versions[program]) continue;
		throw new CwlError(
			"no-program",
			`${program} was not found. Install it: it is the baseline of the comparison.`,
		);
	}
	const root = await mkdtemp(join(tmpdir(), "cwl-bench-"));
	try {
		process.stderr.write(`Making ${files} files in ${root}.\n`);
		await createBenchTree(root, files, join(import.meta.dirname, "..", ".."));
		const untimed = subjectsIn(root, versions.fd !== null);
		const progress = createProgress(untimed.length, "comparisons");
		const subjects: Subject[] = [];
		for (const { name, counts, programs } of untimed) {
			if (signal.aborted) break;
			const timings = await timeInTurns(programs, rounds, () => performance.now());
			subjects.push({ name, counts, timings });
			progress(subjects.length, name);
		}
		return { versions, rounds, files, subjects };
	} finally {
		await rm(root, { recursive: true, force: true });
	}
}

/** As Markdown lines. */
export function formatTools({ versions, files, rounds, subjects }: ToolsReport): readonly string[] {
	const present = Object.entries(versions).map(([name, version]) => `${name} ${version ?? "(not here)"}`);
	return [
		`A tree of ${files} files, a quarter of them not ignored; ${present.join(", ")}. ${rounds} rounds in turns, page cache warm; medians in ms; x: time by that of the first, median of the rounds.`,
		...subjects.flatMap(({ name, counts, timings }) => {
			const rows = timings.map(({ program, medianMs, ratio, found }) => [
				program,
				medianMs.toFixed(medianMs < 10 ? 1 : 0),
				ratio.toFixed(2),
				String(found),
			]);
			return ["", `### ${name}`, "", ...markdownTable([["", "ms", "x", counts], ...rows])];
		}),
	];
}

type Untimed = Omit<Subject, "timings"> & { readonly programs: readonly TimedProgram[] };

function subjectsIn(root: string, hasFd: boolean): readonly Untimed[] {
	return [
		{ name: "glob: the whole tree", counts: "files", programs: globPrograms(root, ".", hasFd) },
		{ name: "glob: one twentieth of it", counts: "files", programs: globPrograms(root, "lib", hasFd) },
		{ name: "glob: a folder of 300 files", counts: "files", programs: globPrograms(root, "src/p0", hasFd) },
		...[
			["rare literal", RARE_LITERAL],
			["common literal", COMMON_LITERAL],
			["no literal prefix", NO_PREFIX_PATTERN],
		].map(([name, pattern = ""]) => ({
			name: `grep: ${name} (${pattern}), limit ${LIMIT}`,
			counts: "lines",
			programs: grepPrograms(root, pattern),
		})),
		{ name: "git status", counts: "entries", programs: statusPrograms(root) },
	];
}

/** Lines that our grep returns; it counts the others. */
const LIMIT = 100;
const PATIENT_MS = 60_000;
/** Bytes of output. */
const MAX_OUTPUT = 2 ** 29;

/** A program that prints records, each of which ends in `mark`. */
function counted(
	name: string,
	root: string,
	[program = "", ...args]: readonly string[],
	mark: string,
): TimedProgram {
	return {
		name,
		run: async () => {
			const { stdout } = await promisify(execFile)(program, args, { cwd: root, maxBuffer: MAX_OUTPUT });
			return stdout.split(mark).length - 1;
		},
	};
}

/** The programs list every file below `base`, "." or a directory of the tree. */
function globPrograms(root: string, base: string, hasFd: boolean): readonly TimedProgram[] {
	const fd = ["fd", "--hidden", "--exclude=.git", "--type=f", "--type=l", "-0", ".", base];
	return [
		counted("rg --files", root, ["rg", "--files", "--hidden", "--glob=!.git", "--null", base], "\0"),
		{ name: "ours", run: async () => (await glob({ pattern: "**", path: base }, { cwd: root })).total },
		counted("git ls-files", root, ["git", "ls-files", "-co", "--exclude-standard", "-z", "--", base], "\0"),
		...(hasFd ? [counted("fd", root, fd, "\0")] : []),
	];
}

/** Every program returns all matching lines, except ours, which counts those above its limit. */
function grepPrograms(root: string, pattern: string): readonly TimedProgram[] {
	const rg = ["--hidden", "--glob=!.git", "--line-number", "--no-heading", "-e", pattern, "./"];
	return [
		counted("rg, all lines in any order", root, ["rg", ...rg], "\n"),
		counted("rg --sort path, all lines", root, ["rg", "--sort=path", ...rg], "\n"),
		counted("git grep", root, ["git", "grep", "--untracked", "-I", "-n", "-E", "-e", pattern], "\n"),
		{ name: "ours", run: async () => (await grep({ pattern, limit: LIMIT }, { cwd: root })).matches },
	];
}

/** Our git status also reads config and state, and runs no program of the repository. */
function statusPrograms(root: string): readonly TimedProgram[] {
	return [
		counted("git status", root, ["git", "status", "--porcelain=v2", "-z", "--untracked-files=normal"], "\0"),
		{
			name: "ours",
			run: async () => {
				const status = await readGitStatus(root, { deadlineMs: PATIENT_MS });
				if (status.type !== "repository") throw new Error(`git status answered ${status.type}`);
				const { conflicts, staged, changed, untracked } = status;
				return new Set([...conflicts, ...[...staged, ...changed].map(({ path }) => path), ...untracked]).size;
			},
		},
	];
}

/** The version that a program prints; null if it is not installed. */
function programVersion(program: string): string | null {
	try {
		const stdio = ["ignore", "pipe", "ignore"] as const;
		const output = execFileSync(program, ["--version"], { encoding: "utf8", stdio: [...stdio] });
		return /\d+(\.\d+)+/.exec(output)?.[0] ?? null;
	} catch {
		// Not installed or not executable: the bench continues without it.
		return null;
	}
}

interface TimedProgram {
	readonly name: string;
	/** Does the work once and returns the number of findings, so that unequal work shows. */
	readonly run: () => Promise<number>;
}

interface Timing {
	readonly program: string;
	/** Median of all rounds, in ms. */
	readonly medianMs: number;
	readonly minMs: number;
	/** Median over the rounds of this program's time divided by the first one's in the same round. */
	readonly ratio: number;
	/** Findings of the last round. */
	readonly found: number;
}

/** Times every program once per round, after a round that warms caches. The first program is the baseline; `now` is a clock in ms. */
export async function timeInTurns(
	programs: readonly TimedProgram[],
	rounds: number,
	now: () => number,
): Promise<readonly Timing[]> {
	const found = new Map<TimedProgram, number>();
	for (const program of programs) found.set(program, await program.run());
	const samples = new Map<TimedProgram, number[]>(programs.map((program) => [program, []]));
	for (let round = 0; round < rounds; round += 1) {
		for (const program of rotate(programs, round)) {
			const start = now();
			found.set(program, await program.run());
			samples.get(program)?.push(now() - start);
		}
	}
	const [first] = programs;
	const base = first ? (samples.get(first) ?? []) : [];
	return programs.map((program) => {
		const times = samples.get(program) ?? [];
		return {
			program: program.name,
			medianMs: median(times),
			minMs: Math.min(...times),
			ratio: median(times.map((time, round) => time / (base[round] ?? time))),
			found: found.get(program) ?? 0,
		};
	});
}

/** A program pays for the load of the one before it, so the order rotates. */
function rotate<T>(values: readonly T[], by: number): readonly T[] {
	const at = by % Math.max(1, values.length);
	return [...values.slice(at), ...values.slice(0, at)];
}

function median(values: readonly number[]): number {
	return percentile(values, 0.5) ?? Number.NaN;
}
