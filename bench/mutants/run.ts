/** `npm run mutants -- --sample N --seed S [--json]`: whether the tests of packages/core notice small faults in it. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../packages/loopback/worker/random.ts";
import { applyMutation, type Mutation, mutationsOf } from "./mutations.ts";

interface Mutant extends Mutation {
	readonly path: string;
	readonly source: string;
}

const CORE = "packages/core";
/** Tests that go on for longer have no end. */
const LONGEST_MS = 300_000;
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

/** Whether a test of the core fails, or does not come to an end. A group of processes, so that none of them is left. */
function isKilled(root: string, { path }: Mutant): Promise<boolean> {
	const args = ["node_modules/vitest/vitest.mjs", "related", path, "--run", "--bail", "1"];
	const tests = spawn(process.execPath, args, { cwd: root, detached: true, stdio: "ignore" });
	return new Promise((resolve, reject) => {
		const stop = setTimeout(() => {
			if (tests.pid !== undefined) process.kill(-tests.pid, "SIGKILL");
		}, LONGEST_MS);
		tests.on("error", reject);
		tests.on("exit", (code) => {
			clearTimeout(stop);
			resolve(code !== 0);
		});
	});
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
	const survivors: string[] = [];
	let tried = 0;
	try {
		const mutants = findMutants(root);
		const sample = createRandom(Number(values.seed)).shuffle(mutants).slice(0, Number(values.sample));
		for (const mutant of sample) {
			writeFileSync(join(root, mutant.path), applyMutation(mutant.source, mutant));
			if (!(await isKilled(root, mutant))) survivors.push(describe(mutant));
			writeFileSync(join(root, mutant.path), mutant.source);
			tried += 1;
			console.error(`${tried} of ${sample.length} tried, ${survivors.length} survived; ${describe(mutant)}`);
		}
		const killed = tried - survivors.length;
		const score = { all: mutants.length, tried, killed, percent: Math.round((1_000 * killed) / tried) / 10 };
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
