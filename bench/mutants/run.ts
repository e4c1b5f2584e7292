/**
 * `npm run mutants -- [FILES] [--sample N] [--from N] [--seed S] [--draws N] [--again RESULT] [--json]`: whether
 * the tests of packages/core notice small faults in it, or in the files that are named. `--from` goes on with a sample
 * that was stopped; `--draws` is how many cases of each property a fault must pass to survive (a test run draws 100);
 * `--again` tries those that an earlier result, kept as JSON, lists as survivors.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom, fieldsOf } from "#loopback";
import { createJudge, type Judge } from "./judge.ts";
import { applyMutation, type Mutation, mutationsOf } from "./mutations.ts";
import type { Verdict } from "./suite.ts";

interface Mutant extends Mutation {
	readonly path: string;
	readonly source: string;
}

const CORE = "packages/core";
/** Cases of a property test at the first look. */
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

/** A copy of the sources, so that no fault ever stands where somebody works. */
function copyProject(): string {
	const root = mkdtempSync(join(tmpdir(), "cwl-mutants-"));
	for (const name of COPIED) cpSync(name, join(root, name), { recursive: true });
	symlinkSync(join(process.cwd(), "node_modules"), join(root, "node_modules"));
	return root;
}

/** A few draws find most faults; what they miss is looked for with more. */
async function settle({ judge }: Judge, { path }: Mutant, draws: number): Promise<Verdict | "endless"> {
	const first = await judge({ paths: [path], draws: FEW_DRAWS });
	return first === "survived" || first === "unsettled" ? judge({ paths: [path], draws }) : first;
}

/** Tests that fail without a fault would notice every one. */
async function expectSound({ judge }: Judge, paths: readonly string[]) {
	const verdict = await judge({ paths, draws: FEW_DRAWS });
	if (verdict !== "survived") throw new Error(`The tests do not pass without a fault: ${verdict}.`);
}

function describe({ path, source, start, end, replacement, kind }: Mutant): string {
	const line = source.slice(0, start).split("\n").length;
	const was = source.slice(start, end).replaceAll("\n", " ");
	return `${path}:${line} ${kind}: ${was} -> ${replacement === ";" ? "(nothing)" : replacement.replaceAll("\n", " ")}`;
}

/** What survived in a result of before. Throws where the file is none. */
function readSurvivors(path: string): readonly unknown[] {
	const { survivors } = fieldsOf(JSON.parse(readFileSync(path, "utf8")));
	if (!Array.isArray(survivors)) throw new Error(`${path} is no result of this command with --json.`);
	return survivors;
}

interface Score {
	readonly verdicts: Readonly<Record<Verdict | "endless", number>>;
	readonly survivors: readonly string[];
}

/** Try one fault after the other, between two looks at the tests without any. */
async function tryEach(
	root: string,
	judge: Judge,
	mutants: readonly Mutant[],
	draws: number,
): Promise<Score> {
	const verdicts = { killed: 0, endless: 0, survived: 0, unsettled: 0 };
	const survivors: string[] = [];
	const paths = [...new Set(mutants.map(({ path }) => path))];
	await expectSound(judge, paths);
	for (const [at, mutant] of mutants.entries()) {
		writeFileSync(join(root, mutant.path), applyMutation(mutant.source, mutant));
		const verdict = await settle(judge, mutant, draws);
		writeFileSync(join(root, mutant.path), mutant.source);
		verdicts[verdict] += 1;
		if (verdict === "survived") survivors.push(describe(mutant));
		console.error(`${at + 1} of ${mutants.length}: ${verdict}; ${describe(mutant)}`);
	}
	await expectSound(judge, paths);
	return { verdicts, survivors };
}

/** Faults that tests notice, of those that are settled, in percent. */
function percentOf({ killed, endless, survived }: Score["verdicts"]): number {
	return Math.round((1_000 * (killed + endless)) / (killed + endless + survived)) / 10;
}

async function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			sample: { type: "string", default: "300" },
			from: { type: "string", default: "0" },
			seed: { type: "string", default: "1" },
			draws: { type: "string", default: "30" },
			again: { type: "string" },
			json: { type: "boolean", default: false },
		},
	});
	const seed = Number(values.seed);
	const from = Number(values.from);
	const earlier = values.again === undefined ? undefined : readSurvivors(values.again);
	const isWanted = (mutant: Mutant) =>
		(positionals.length === 0 || positionals.includes(mutant.path)) &&
		(earlier === undefined || earlier.includes(describe(mutant)));
	const root = copyProject();
	const judge = createJudge(root);
	try {
		const mutants = findMutants(root).filter(isWanted);
		const sample = createRandom(seed)
			.shuffle(mutants)
			.slice(from, from + Number(values.sample));
		const { verdicts, survivors } = await tryEach(root, judge, sample, Number(values.draws));
		const score = { all: mutants.length, tried: sample.length, ...verdicts, percent: percentOf(verdicts) };
		if (values.json) console.log(JSON.stringify({ seed, ...score, survivors }));
		else {
			console.table(score);
			for (const survivor of survivors) console.log(survivor);
		}
	} finally {
		judge.close();
		rmSync(root, { recursive: true, force: true });
	}
}

await main();
