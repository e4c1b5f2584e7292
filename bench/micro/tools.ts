/**
 * Times glob, grep and git status in turns with ripgrep and git, so that other load on the machine falls on both alike.
 * tinybench cannot interleave its tasks, or pair a round with the round of a baseline.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { CwlError } from "#pi";
import { markdownTable } from "#replay/report";
import { commitAll, configure, git } from "#testing/worker";
import { findRipgrep, glob, grep, readGitStatus } from "#workspace";
import { forEachStep, inNewFolder, median } from "../bench.ts";
import { PROJECT } from "../pi-host.ts";

/** Occurs in a few files of the tree; joined here, so that no source of ours contains it. */
const RARE_LITERAL = ["rare", "Needle", "Of", "The", "Bench"].join("");
const COMMON_LITERAL = "return";
/** Has no literal prefix to search for first. */
const NO_PREFIX_PATTERN = "[a-z]+[0-9]{3,}";

/**
 * Compares in a tree of so many files, a quarter of them not ignored, with so many runs of each program.
 * @throws CwlError `no-program` without ripgrep or git, the baselines
 */
export function measureTools(files: number, rounds: number, signal: AbortSignal) {
	// The ripgrep that the package brings stands behind all others on the PATH.
	const ripgrep = findRipgrep();
	if (ripgrep) process.env.PATH = [process.env.PATH ?? "", dirname(ripgrep)].join(delimiter);
	const versions = Object.fromEntries(["rg", "git"].map((name) => [name, programVersion(name)]));
	return inNewFolder(async (root) => {
		process.stderr.write(`Making ${files} files in ${root}.\n`);
		await createTree(root, files);
		const subjects: { readonly name: string; readonly timings: readonly Timing[] }[] = [];
		await forEachStep(Object.entries(pairsIn(root)), "comparisons", signal, async ([name, pair]) => {
			subjects.push({ name, timings: await timeInTurns(pair, rounds, () => performance.now()) });
		});
		return { versions, rounds, files, subjects };
	});
}

const LINES_A_FILE = 90;

/**
 * Fills an empty directory with a repository of our source text, three quarters of it ignored; a few files are changed and a few
 * untracked. 100,000 files take about 20 s.
 */
async function createTree(root: string, files: number): Promise<void> {
	const packages = join(PROJECT, "packages");
	const lines = readdirSync(packages, { recursive: true, encoding: "utf8" })
		.filter((path) => path.endsWith(".ts"))
		.sort()
		.flatMap((path) => readFileSync(join(packages, path), "utf8").split("\n"));
	/** A different part of the sources for each file; the step shares no factor with their usual length. */
	const text = (index: number) => {
		const from = (index * 7919) % Math.max(1, lines.length - LINES_A_FILE);
		return `${lines.slice(from, from + LINES_A_FILE).join("\n")}\n`;
	};
	const [ignored, library] = [Math.round(0.75 * files), Math.round(0.05 * files)];
	const sources = files - ignored - library;
	const rare = Math.max(1, Math.floor(sources / 3));
	const write = (path: string, content: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content);
	};
	const fill = (folder: string, count: number, content: (index: number) => string) => {
		for (let index = 0; index < count; index += 1) write(placeOf(folder, index), content(index));
	};
	fill("node_modules", ignored, (index) => `module.exports = ${index};\n`);
	fill("lib", library, text);
	fill("src", sources, (index) => text(index) + (index % rare === 1 ? `// ${RARE_LITERAL}\n` : ""));
	write(".gitignore", "node_modules/\n*.log\n");
	await git(root, "init", "--quiet", "--initial-branch=main", "--template=");
	await configure(root);
	await commitAll(root, "The tree of the bench");
	for (const index of [0, 1, 2, 3]) {
		write(placeOf("lib", index), "changed\n");
		write(`src/untracked-${index}.ts`, "new\n");
	}
}

/** Twenty directories of fifteen files in each of the outer ones. */
const placeOf = (folder: string, index: number) =>
	join(folder, `p${Math.floor(index / 300)}`, `m${Math.floor(index / 15) % 20}`, `file${index}.ts`);

/** As Markdown lines. */
export function formatTools(report: Awaited<ReturnType<typeof measureTools>>): readonly string[] {
	const { versions, files, rounds, subjects } = report;
	const present = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
	const rows = subjects.flatMap(({ name, timings }) =>
		timings.map(({ program, medianMs, ratio, found }) => [
			...[name, program, medianMs.toFixed(medianMs < 10 ? 1 : 0)],
			...[ratio.toFixed(2), String(found)],
		]),
	);
	return [
		`A tree of ${files} files, a quarter of them not ignored; ${present.join(", ")}. ${rounds} rounds in turns, page cache warm; medians in ms; x: time by that of the first, median of the rounds.`,
		"",
		...markdownTable([["", "program", "ms", "x", "found"], ...rows]),
	];
}

/** A program and our tool that does the same. Both return the number of findings, so that unequal work shows. */
interface Pair {
	/** The name of the program. */
	readonly base: string;
	readonly run: () => Promise<number>;
	readonly ours: () => Promise<number>;
}

/** Lines that our grep returns; it counts the others, which the program prints. */
const LIMIT = 100;
const PATIENT_MS = 60_000;
/** Bytes of output. */
const MAX_OUTPUT = 2 ** 29;

function pairsIn(root: string): Readonly<Record<string, Pair>> {
	/** Runs a program that prints records, each of which ends in `mark`. */
	const printing = (mark: string, program: string, ...args: readonly string[]) => ({
		base: program,
		run: async () => {
			const { stdout } = await promisify(execFile)(program, args, { cwd: root, maxBuffer: MAX_OUTPUT });
			return stdout.split(mark).length - 1;
		},
	});
	const listing = (path: string): Pair => ({
		...printing("\0", "rg", "--files", "--hidden", "--glob=!.git", "--null", path),
		ours: async () => (await glob({ pattern: "**", path }, { cwd: root })).total,
	});
	const searching = (pattern: string): Pair => ({
		...printing("\n", "rg", "--hidden", "--glob=!.git", "--line-number", "--no-heading", "-e", pattern, "./"),
		ours: async () => (await grep({ pattern, limit: LIMIT }, { cwd: root })).matches,
	});
	return {
		"glob: the whole tree": listing("."),
		"glob: one twentieth of it": listing("lib"),
		"glob: a folder of 300 files": listing("src/p0"),
		[`grep: rare literal, limit ${LIMIT}`]: searching(RARE_LITERAL),
		[`grep: common literal, limit ${LIMIT}`]: searching(COMMON_LITERAL),
		[`grep: no literal prefix (${NO_PREFIX_PATTERN}), limit ${LIMIT}`]: searching(NO_PREFIX_PATTERN),
		"git status": {
			...printing("\0", "git", "status", "--porcelain=v2", "-z", "--untracked-files=normal"),
			ours: async () => {
				const status = await readGitStatus(root, { deadlineMs: PATIENT_MS });
				if (status.type !== "repository") throw new Error(`git status answered ${status.type}`);
				const { conflicts, staged, changed, untracked } = status;
				return new Set([...conflicts, ...[...staged, ...changed].map(({ path }) => path), ...untracked]).size;
			},
		},
	};
}

/** @throws CwlError `no-program` if it is not installed */
function programVersion(program: string): string {
	try {
		const output = execFileSync(program, ["--version"], { encoding: "utf8", stdio: "pipe" });
		return /\d+(\.\d+)+/.exec(output)?.[0] ?? "unknown";
	} catch {
		throw new CwlError(
			"no-program",
			`${program} was not found. Install it: it is the baseline of the comparison.`,
		);
	}
}

interface Timing {
	readonly program: string;
	/** Median of all rounds, in ms. */
	readonly medianMs: number;
	/** Median over the rounds of this program's time divided by the baseline's in the same round. */
	readonly ratio: number;
	/** Findings of the last round. */
	readonly found: number;
}

/** Times both programs once per round, after a round that warms caches; `now` is a clock in ms. */
export async function timeInTurns(
	{ base, run, ours }: Pair,
	rounds: number,
	now: () => number,
): Promise<readonly Timing[]> {
	const programs = [
		{ program: base, run, times: [] as number[], found: await run() },
		{ program: "ours", run: ours, times: [], found: await ours() },
	];
	for (let round = 0; round < rounds; round += 1) {
		// A program pays for the load of the one before it, so the order changes.
		for (const each of round % 2 === 0 ? programs : programs.toReversed()) {
			const start = now();
			each.found = await each.run();
			each.times.push(now() - start);
		}
	}
	const baseline = programs[0]?.times ?? [];
	return programs.map(({ program, times, found }) => ({
		...{ program, found, medianMs: median(times) },
		ratio: median(times.map((time, round) => time / (baseline[round] ?? time))),
	}));
}
