import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT } from "../pi-host.ts";

const PARTS = ["bench", "docs", "extensions", "packages", "prompts", "package.json", "tsconfig.json"];
const PRINT =
	'import { fingerprintEngine } from "./bench/tables/engine.ts"; console.log(await fingerprintEngine());';

let tree = "";
let intact = "";

afterAll(() => rm(tree, { recursive: true, force: true }));

beforeAll(async () => {
	tree = await mkdtemp(join(tmpdir(), "cwl-engine-"));
	for (const part of PARTS) await cp(join(PROJECT, part), join(tree, part), { recursive: true });
	await symlink(join(PROJECT, "node_modules"), join(tree, "node_modules"));
	await writeFile(join(tree, "print.mts"), PRINT);
	intact = await fingerprint();
});

async function fingerprint(): Promise<string> {
	const jiti = join(PROJECT, "node_modules", "jiti", "lib", "jiti-cli.mjs");
	const { stdout } = await promisify(execFile)(process.execPath, [jiti, "./print.mts"], { cwd: tree });
	return stdout.trim();
}

/** The fingerprint with one text of a file replaced, which is put back afterwards. */
async function mutated(path: string, from: string, to: string): Promise<string> {
	const file = join(tree, path);
	const text = await readFile(file, "utf8");
	expect(text).toContain(from);
	await writeFile(file, text.replace(from, to));
	return await fingerprint().finally(() => writeFile(file, text));
}

test.each([
	["the economy dial", "packages/core/planning/payoff.ts", "economy: 1.5,", "economy: 3,"],
	[
		"the scale of the chance of a second look",
		"packages/core/planning/chance.ts",
		"scale: 0.22",
		"scale: 0.4",
	],
	["low water", "packages/core/planning/limits.ts", "balanced: 0.3", "balanced: 0.5"],
	["what compaction keeps", "packages/replay/policies/compaction.ts", "KEEP = 20_000", "KEEP = 12_000"],
	["the lengths of answers", "packages/testing/worker/answer-length.ts", "7.6", "6.6"],
])("the fingerprint changes with %s", async (_, path, from, to) => {
	expect(await mutated(path, from, to)).not.toBe(intact);
});

test("the fingerprint does not change with a comment", async () => {
	expect(await mutated("packages/core/planning/worth.ts", "/**", "/** Another comment.")).toBe(intact);
});
