import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadTokenCounter } from "../packages/host/tokens.ts";
import { parsePolicies } from "./policies/registry.ts";
import { createReplayPrompt } from "./prompt-cost.ts";
import { createReport } from "./report.ts";
import { runReplays } from "./run.ts";

/** Recorded sessions are no part of the project: the environment names their folder, or it stands beside the project. */
const beside = fileURLToPath(new URL("../../shared/sessions/recorded", import.meta.url));
const folder = process.env.CWL_SESSIONS ?? beside;

/** Every so many files: the whole set takes too long for a test. */
const STRIDE = 8;
const TIMEOUT_MS = 60_000;

test("recorded sessions break no rule under none and paper", { timeout: TIMEOUT_MS }, async ({ skip }) => {
	skip(!existsSync(folder), `no recorded sessions at ${folder}: name a folder in CWL_SESSIONS`);
	const files = (await readdir(folder)).filter((file) => file.endsWith(".jsonl")).sort();
	const paths = files.filter((_, i) => i % STRIDE === 0).map((file) => join(folder, file));
	const count = await loadTokenCounter();
	const { system, fixed } = createReplayPrompt(count);
	const policies = parsePolicies("none,paper");
	const budget = 40_000;
	const run = await runReplays({
		...{ paths, policies, budget, count, system, fixed, requests: undefined },
		now: () => performance.now(),
		signal: new AbortController().signal,
		onProgress: () => {},
	});
	const report = createReport(run, { policies, budget, fixed });
	expect(report).toMatchObject({ problems: [], damage: [], sessions: { replayed: paths.length } });
	expect(report.policies.flatMap(({ violationExamples }) => violationExamples)).toEqual([]);
	expect(report.policies[1]?.passes).toBeGreaterThan(0);
});
