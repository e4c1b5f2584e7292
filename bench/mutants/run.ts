/** `npm run mutants -- --sample N --seed S [--json]`: whether the tests of packages/core notice small faults in it. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../packages/loopback/worker/random.ts";
import { applyMutation, type Mutation, mutationsOf } from "./mutations.ts";
import { judgeMutant, type Verdict } from "./verdict.ts";

interface Mutant extends Mutation {
	readonly path: string;
	readonly source: string;
}

const CORE = "packages/core";
/** Cases of a property test. */
const FEW_DRAWS = 3;
const ALL_DRAWS = 100;
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

/** A few draws find most faults; what they miss is looked for with all. */
async function judge(root: string, { path }: Mutant): Promise<Verdict> {
	const first = await judgeMutant(root, path, FEW_DRAWS);
	return first === "survived" || first === "unsettled" ? judgeMutant(root, path, ALL_DRAWS) : first;
}

function describe({ path, source, start, end, replacement, kind }: Mutant): string {
	const line = source.slice(0, start).split("\n").length;
	const was = source.slice(start, end).replaceAll("\n", " ");
	return `${path}:${line} ${kind}: ${was} -> ${replacement === "" ? "(nothing)" : replacement.replaceAll("\n", " ")}`;
}

async function main() {
	const { values } = parseArgs({
		options: {
			sample: { type: "string", default: "300" },
			seed: { type: "string", default: "1" },
			json: { type: "boolean", default: false },
		},
	});
	const root = copyProject();
	const verdicts: Record<Verdict, number> = { killed: 0, endless: 0, survived: 0, unsettled: 0 };
	const survivors: string[] = [];
	try {
		const mutants = findMutants(root);
		const sample = createRandom(Number(values.seed)).shuffle(mutants).slice(0, Number(values.sample));
		for (const [at, mutant] of sample.entries()) {
			writeFileSync(join(root, mutant.path), applyMutation(mutant.source, mutant));
			const verdict = await judge(root, mutant);
			writeFileSync(join(root, mutant.path), mutant.source);
			verdicts[verdict] += 1;
			if (verdict === "survived") survivors.push(describe(mutant));
			console.error(`${at + 1} of ${sample.length}: ${verdict}; ${describe(mutant)}`);
		}
		const settled = verdicts.killed + verdicts.endless + verdicts.survived;
		const percent = Math.round((1_000 * (settled - verdicts.survived)) / settled) / 10;
		const score = { all: mutants.length, tried: sample.length, ...verdicts, percent };
		if (values.json) console.log(JSON.stringify({ seed: Number(values.seed), ...score, survivors }));
		else {
			console.table(score);
			for (const survivor of survivors) console.log(survivor);
		}
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

await main();
