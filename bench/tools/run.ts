/**
 * `npm run bench -- tools`: compares our tools with the programs and packages that do the same, on one tree in one
 * run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { CwlError } from "#pi";
import { findRipgrep } from "#workspace";
import { readCount } from "../arguments.ts";
import { describeMachine } from "../machine.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { COMMON_LITERAL, createBenchTree, NO_PREFIX_PATTERN, RARE_LITERAL } from "./bench-tree.ts";
import { readCpuMs } from "./cpu-time.ts";
import { globPrograms } from "./glob-programs.ts";
import { grepPrograms } from "./grep-programs.ts";
import { findPackage, programVersion } from "./programs.ts";
import { formatToolsReport, type Subject, type ToolsReport } from "./report.ts";
import { statusPrograms } from "./status-programs.ts";
import { type TimedProgram, timeInTurns } from "./timing.ts";

export const help = `npm run bench -- tools: compares glob, grep and git status with rg, fd, git, fast-glob and
globby, as far as they are installed

  --files 100000   files of the tree that is made for it, three quarters of them ignored
  --rounds 9       runs of each program, in turns
  --json           figures as JSON

globby and fast-glob may also be installed in the folder where the command runs.
`;

const flags = {
	files: { type: "string", default: "100000" },
	rounds: { type: "string", default: "9" },
	json: { type: "boolean", default: false },
} as const;

/** Puts the ripgrep that the package brings behind all others on the PATH. */
function offerBundledRipgrep(): void {
	const program = findRipgrep();
	if (program) process.env.PATH = [process.env.PATH ?? "", dirname(program)].join(delimiter);
}

/** Runs the bench and returns 0. Throws a `CwlError` for wrong arguments, or without ripgrep or git. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const files = readCount("files", values.files, 100);
	const rounds = readCount("rounds", values.rounds, 1);
	offerBundledRipgrep();
	const versions = readVersions();
	for (const program of ["rg", "git"]) {
		if (!versions[program])
			throw new CwlError(
				"no-program",
				`${program} was not found. Install it: it is the baseline of the comparison.`,
			);
	}
	const { signal, release } = catchInterrupt();
	const root = await mkdtemp(join(tmpdir(), "cwl-bench-"));
	try {
		process.stderr.write(`Making ${files} files in ${root}.\n`);
		await createBenchTree(root, files, join(import.meta.dirname, "..", ".."));
		const subjects: Subject[] = [];
		const untimed = await listSubjects(root, versions);
		const progress = createProgress(untimed.length, "comparisons");
		for (const { name, counts, programs } of untimed) {
			if (signal.aborted) break;
			const timings = await timeInTurns(programs, { rounds, now: () => performance.now(), cpu: readCpuMs });
			subjects.push({ name, counts, timings });
			progress(subjects.length, name);
		}
		const date = new Date().toISOString().slice(0, 10);
		const report: ToolsReport = {
			version: 2,
			date,
			machine: describeMachine(),
			versions,
			rounds,
			files,
			subjects,
		};
		process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatToolsReport(report));
		return signal.aborted ? INTERRUPTED : 0;
	} finally {
		release();
		await rm(root, { recursive: true, force: true });
	}
}

type Untimed = Omit<Subject, "timings"> & { readonly programs: readonly TimedProgram[] };

async function listSubjects(root: string, versions: ToolsReport["versions"]): Promise<readonly Untimed[]> {
	const present = new Set(Object.keys(versions).filter((name) => versions[name]));
	const list = async (name: string, base: string): Promise<Untimed> => ({
		name: `glob: ${name}`,
		counts: "files",
		programs: await globPrograms(root, base, present),
	});
	const search = (name: string, pattern: string): Untimed => ({
		name: `grep: ${name} (${pattern}), limit 100`,
		counts: "lines",
		programs: grepPrograms(root, { pattern, limit: 100 }),
	});
	return [
		await list("the whole tree", "."),
		await list("one twentieth of it", "lib"),
		await list("a folder of 300 files", "src/p0"),
		search("rare literal", RARE_LITERAL),
		search("common literal", COMMON_LITERAL),
		search("no literal prefix", NO_PREFIX_PATTERN),
		{ name: "git status", counts: "entries", programs: statusPrograms(root) },
	];
}

function readVersions(): Readonly<Record<string, string | null>> {
	const programs = ["rg", "git", "fd"].map((name) => [name, programVersion(name) ?? null]);
	const packages = ["fast-glob", "globby"].map((name) => [
		name,
		findPackage(name, process.cwd())?.version ?? null,
	]);
	return Object.fromEntries([...programs, ...packages]);
}
