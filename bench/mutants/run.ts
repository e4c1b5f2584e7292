/**
 * `npm run mutants`: checks that the tests of packages/core notice small faults in it. StrykerJS does less here. It
 * changes no numbers and removes no single statements, which are most of the faults that survive. It runs no samples.
 * Its current version needs Node 22, and the first run of version 9 over these property tests took more than 20
 * minutes on two busy cores before it tried a fault; a warm vitest needs about a second per fault.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom, fieldsOf } from "#loopback";
import { CwlError } from "#pi";
import { reportExpected } from "../../packages/cli/expected-error.ts";
import { readCount } from "../arguments.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { createJudge, type Judge } from "./judge.ts";
import { applyMutation, type Mutation, mutationsOf } from "./mutations.ts";
import type { Verdict } from "./suite.ts";

const help = `npm run mutants -- [FILES] [--sample 300] [--from 0] [--seed 1] [--draws 30] [--again RESULT] [--json]

Tries small faults in packages/core, or in the named files, and lists those that no test notices.

  --sample 300     faults, drawn by the seed
  --from 0         faults of the sample to skip: continues an earlier run
  --seed 1         of the sample
  --draws 30       cases of each property that a fault must pass to survive; a test run draws 100
  --again RESULT   tries the survivors in an earlier result of --json
  --json           the figures as JSON
`;

interface Mutant extends Mutation {
	readonly path: string;
	readonly source: string;
}

const CORE = "packages/core";
/** Cases per property test at the first try. */
const FEW_DRAWS = 3;
const COPIED = [CORE, "vitest.config.ts", "package.json", "tsconfig.json"];

function findMutants(root: string): readonly Mutant[] {
	const files = readdirSync(join(root, CORE), { recursive: true, encoding: "utf8" });
	const sources = files.filter(
		(file) => file.endsWith(".ts") && !/\.test\.ts$|test-support|^rules/.test(file),
	);
	return sources.sort().flatMap((file) => {
		const path = join(CORE, file);
		const source = readFileSync(join(root, path), "utf8");
		return mutationsOf(source).map((mutation) => ({ ...mutation, path, source }));
	});
}

/** Copies the sources, so that no fault appears where somebody works. */
function copyProject(): string {
	const root = mkdtempSync(join(tmpdir(), "cwl-mutants-"));
	for (const name of COPIED) cpSync(name, join(root, name), { recursive: true });
	symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
	return root;
}

/** A few draws notice most faults; the rest is tried with more. */
async function settle({ judge }: Judge, { path }: Mutant, draws: number): Promise<Verdict | "endless"> {
	const first = await judge({ paths: [path], draws: Math.min(FEW_DRAWS, draws) });
	const isOpen = first === "survived" || first === "unsettled";
	return isOpen && draws > FEW_DRAWS ? judge({ paths: [path], draws }) : first;
}

/** Returns why the tests do not pass without a fault: they would notice every one then. Undefined if they do. */
async function findUnsound({ judge }: Judge, paths: readonly string[]): Promise<string | undefined> {
	const verdict = await judge({ paths, draws: FEW_DRAWS });
	return verdict === "survived" ? undefined : `The tests do not pass without a fault: ${verdict}.`;
}

function describe({ path, source, start, end, replacement, kind }: Mutant): string {
	const line = source.slice(0, start).split("\n").length;
	const was = source.slice(start, end).replaceAll("\n", " ");
	return `${path}:${line} ${kind}: ${was} -> ${replacement === ";" ? "(nothing)" : replacement.replaceAll("\n", " ")}`;
}

/** The survivors of an earlier result. Throws if the file is none. */
function readSurvivors(path: string): readonly unknown[] {
	const { survivors } = fieldsOf(JSON.parse(readFileSync(path, "utf8")));
	if (!Array.isArray(survivors))
		throw new CwlError("bad-result", `${path} is no result of this command: use a file that --json wrote`);
	return survivors;
}

interface Score {
	readonly verdicts: Readonly<Record<Verdict | "endless", number>>;
	readonly survivors: readonly string[];
	/** Why the verdicts are in doubt: the tests did not pass without a fault either when all were tried. */
	readonly doubt: string | undefined;
}

/** Tries one fault after the other, and checks the tests without a fault before and after. */
async function tryEach(
	root: string,
	judge: Judge,
	mutants: readonly Mutant[],
	draws: number,
	signal: AbortSignal,
): Promise<Score> {
	const verdicts = { killed: 0, endless: 0, survived: 0, unsettled: 0 };
	const survivors: string[] = [];
	const paths = [...new Set(mutants.map(({ path }) => path))];
	const unsound = await findUnsound(judge, paths);
	if (unsound !== undefined) throw new Error(unsound);
	const progress = createProgress(mutants.length, "faults");
	for (const [at, mutant] of mutants.entries()) {
		if (signal.aborted) break;
		writeFileSync(join(root, mutant.path), applyMutation(mutant.source, mutant));
		const found = await settle(judge, mutant, draws);
		writeFileSync(join(root, mutant.path), mutant.source);
		// On a busy machine the tests may not end in time without a fault either, which proves nothing.
		const isSlow = found === "endless" && (await judge.judge({ paths: [mutant.path], draws })) !== "survived";
		const verdict = isSlow ? "unsettled" : found;
		verdicts[verdict] += 1;
		if (verdict === "survived") survivors.push(describe(mutant));
		progress(at + 1, `${verdict}: ${describe(mutant)}`);
	}
	return { verdicts, survivors, doubt: await findUnsound(judge, paths) };
}

/** The noticed faults among the settled ones, in percent. */
function percentOf({ killed, endless, survived }: Score["verdicts"]): number {
	return Math.round((1_000 * (killed + endless)) / (killed + endless + survived)) / 10;
}

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			sample: { type: "string", default: "300" },
			from: { type: "string", default: "0" },
			seed: { type: "string", default: "1" },
			draws: { type: "string", default: "30" },
			again: { type: "string" },
			json: { type: "boolean", default: false },
			help: { type: "boolean", short: "h", default: false },
		},
	});
	if (values.help) {
		process.stdout.write(help);
		return 0;
	}
	const seed = readCount("seed", values.seed, 0);
	const from = readCount("from", values.from, 0);
	const end = from + readCount("sample", values.sample);
	const draws = readCount("draws", values.draws);
	const earlier = values.again === undefined ? undefined : readSurvivors(values.again);
	const isWanted = (mutant: Mutant) =>
		(positionals.length === 0 || positionals.includes(mutant.path)) &&
		(earlier === undefined || earlier.includes(describe(mutant)));
	const root = copyProject();
	const judge = createJudge(root);
	const { signal, release } = catchInterrupt();
	try {
		const mutants = findMutants(root).filter(isWanted);
		const sample = createRandom(seed).shuffle(mutants).slice(from, end);
		const { verdicts, survivors, doubt } = await tryEach(root, judge, sample, draws, signal);
		const tried = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
		const score = { all: mutants.length, tried, ...verdicts, percent: percentOf(verdicts) };
		if (values.json) console.log(JSON.stringify({ seed, ...score, survivors }));
		else {
			console.table(score);
			for (const survivor of survivors) console.log(survivor);
		}
		if (doubt !== undefined) process.stderr.write(`${doubt} Try again on a quiet machine.\n`);
		if (signal.aborted) return INTERRUPTED;
		return doubt === undefined ? 0 : 1;
	} finally {
		release();
		judge.close();
		rmSync(root, { recursive: true, force: true });
	}
}

process.exitCode = await reportExpected("mutants", main);
