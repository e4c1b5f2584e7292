/** Replays of written sessions in a scratch folder, with cheap token counts. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { priceLists } from "../metrics/prices.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { RecordedSession } from "../readers/session-reader.ts";
import { createReport } from "../report/create-report.ts";
import type { Report } from "../report/report.ts";
import { type Run, type RunOptions, runReplays } from "../run/run.ts";
import { createLocalRunner } from "../run/runner.ts";
import { type Arm, armsUnder, type ReplaySetup } from "../run/setup.ts";
import { countQuarters } from "./messages.ts";

const budget = 4_000;
const fixed = { system: 50, tools: 30 };

interface TestRun extends Partial<Omit<RunOptions, "createRunners">> {
	readonly arms?: readonly Arm[];
	readonly setup?: Partial<ReplaySetup>;
}

/** Run with `none` and `paper` at 4k tokens, but for what is given. */
export function replayWith({ arms = underBudget("none,paper"), setup, ...options }: TestRun): Promise<Run> {
	return runReplays({
		...{ paths: [], signal: new AbortController().signal, onProgress: () => {} },
		createRunners: () => [createLocalRunner({ ...testSetup, arms, ...setup })],
		...options,
	});
}

export async function reportWith(options: TestRun): Promise<Report> {
	return reportOn(await replayWith(options), options);
}

/** The report of a run that was made with these options. */
export function reportOn(run: Run, { arms = underBudget("none,paper"), setup }: TestRun): Report {
	const { annotation, pressure } = { ...testSetup, ...setup };
	return createReport(run, { arms, pressure, fixed, annotation, models: [] });
}

export function underBudget(policies: string): readonly Arm[] {
	return armsUnder(budget, parsePolicies(policies));
}

const testSetup: Omit<ReplaySetup, "arms"> = {
	...{ pressure: budget, fixed, count: countQuarters, system: "", requests: undefined },
	prices: [priceLists.anthropic, priceLists.openai],
	annotation: "recorded",
	model: undefined,
	withContexts: false,
};

/** Write a session in pi's format. */
export async function writeSessionFile(path: string, { messages }: RecordedSession): Promise<void> {
	const entries = messages.map((message) => ({ type: "message", message }));
	const lines = [{ type: "session", id: "h" }, ...entries].map((entry) => JSON.stringify(entry));
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, `${lines.join("\n")}\n`);
}
