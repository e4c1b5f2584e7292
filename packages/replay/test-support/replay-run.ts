/** Replays of written sessions in a scratch folder, with cheap token counts. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { priceLists } from "../metrics/prices.ts";
import { parsePolicies } from "../policies/registry.ts";
import type { RecordedSession } from "../readers/recorded-session.ts";
import { createReport, type Report } from "../report/report.ts";
import { type Arm, armsUnder } from "../run/arms.ts";
import { createLocalRunner } from "../run/jobs.ts";
import { type Run, type RunOptions, runReplays } from "../run/run.ts";
import type { ReplaySetup, RunSettings } from "../run/setup.ts";
import { writeLongSession } from "./long-session.ts";
import { countQuarters } from "./messages.ts";

const budget = 4_000;

interface TestRun extends Partial<Omit<RunOptions, "createRunners">> {
	readonly arms?: readonly Arm[];
	readonly setup?: Partial<ReplaySetup>;
	readonly pressure?: number;
}

export function testSettings({ arms = underBudget("none,paper"), ...given }: TestRun): RunSettings {
	const { pressure = budget } = given;
	return {
		arms: arms.map(({ policy: _, ...arm }) => arm),
		pressure,
		fixed: { system: 50, tools: 30 },
		as: undefined,
		models: [],
		isSweep: false,
	};
}

/** Replays `none` and `paper` at 4k tokens, unless something else is given. */
export function replayWith(options: TestRun): Promise<Run> {
	const { arms = underBudget("none,paper"), setup, ...more } = options;
	const settings = testSettings(options);
	const prices = [priceLists.anthropic, priceLists.openai];
	const whole = { settings, arms, prices, count: countQuarters, system: "", requests: undefined };
	return runReplays({
		...{ paths: [], signal: new AbortController().signal, onProgress: () => {} },
		createRunners: () => [createLocalRunner({ ...whole, model: undefined, withContexts: false, ...setup })],
		...more,
	});
}

export async function reportWith(options: TestRun): Promise<Report> {
	return createReport(await replayWith(options), testSettings(options));
}

export function underBudget(policies: string): readonly Arm[] {
	return armsUnder(budget, parsePolicies(policies));
}

/** A folder for one test, with a long session of so many rounds in each named file. */
export async function sessionsFolder(rounds: Readonly<Record<string, number>>): Promise<string> {
	const folder = createScratch();
	for (const [name, count] of Object.entries(rounds)) {
		await writeSessionFile(join(folder, name), writeLongSession(count));
	}
	return folder;
}

/** Write a session in pi's format. */
export async function writeSessionFile(path: string, { messages }: RecordedSession): Promise<void> {
	const entries = messages.map((message) => ({ type: "message", message }));
	const lines = [{ type: "session", id: "h" }, ...entries].map((entry) => JSON.stringify(entry));
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, `${lines.join("\n")}\n`);
}
