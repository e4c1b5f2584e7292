import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadTokenCounter } from "#pi/codec";
import { parsePolicies } from "./policies/registry.ts";
import { armsUnder } from "./run/setup.ts";
import { reportWith } from "./test-support/replay-run.ts";

/** Recorded sessions are no part of the project: the environment names their folder, or it is next to the project. */
const beside = fileURLToPath(new URL("../../../shared/sessions/recorded", import.meta.url));
const folder = process.env.CWL_SESSIONS ?? beside;

/** Every so many files: the whole set takes too long for a test. */
const STRIDE = 24;
test("recorded sessions break no rule that a policy claims", async ({ skip }) => {
	skip(!existsSync(folder), `no recorded sessions at ${folder}: name a folder in CWL_SESSIONS`);
	const files = (await readdir(folder)).filter((file) => file.endsWith(".jsonl")).sort();
	const paths = files.filter((_, i) => i % STRIDE === 0).map((file) => join(folder, file));
	const budget = 40_000;
	const arms = armsUnder(budget, parsePolicies("all"));
	const count = await loadTokenCounter();
	const report = await reportWith({ paths, arms, setup: { count }, pressure: budget });
	expect(report).toMatchObject({ problems: [], damage: [], sessions: { replayed: paths.length } });
	expect(report.policies.flatMap(({ violationExamples }) => violationExamples)).toEqual([]);
	expect(report.policies.find(({ policy }) => policy === "paper")?.passes).toBeGreaterThan(0);
});
