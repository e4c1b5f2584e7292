/** Kills a session again and again, and checks the state that the next process finds. */
import { copyFile, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiName, RequestRecord } from "#loopback";
import { PASS_ENTRY } from "#pi";
import {
	checkChain,
	checkGrowth,
	checkLeftovers,
	checkLocks,
	checkReported,
	differInStatusOnly,
	listFiles,
	outwaitLock,
	processesIn,
	readSessionFile,
	type SessionFile,
	waitForOrphans,
} from "./checks.ts";
import { type Moment, type ProcessRun, runUntil } from "./kill-moment.ts";
import { type Stage, setStage } from "./stage.ts";

/** The result of one kill. */
export interface KillReport {
	readonly moment: Moment;
	/** True if the moment came; otherwise the process was killed after its tasks. */
	readonly isMoment: boolean;
	/** True if its first request was compared with the reference run's. */
	readonly isCompared: boolean;
	/** True if that differed in the git status alone, which git was too late for. */
	readonly isLate: boolean;
	/** True if the kill left a torn line. */
	readonly isTorn: boolean;
	/** True if it left pi's lock of its settings, which the next process removed. */
	readonly isLocked: boolean;
	/** Entries of the session file, all of them checked. */
	readonly entries: number;
	readonly passes: number;
	/** The faults found; empty is good. */
	readonly findings: readonly string[];
}

const APIS: readonly ApiName[] = ["anthropic", "responses", "completions"];

/** Kills one session at each of these moments and resumes it each time. */
export async function killSession(
	seed: number,
	moments: readonly Moment[],
	signal: AbortSignal,
	onReport: (report: KillReport) => void,
): Promise<void> {
	const directory = await realpath(await mkdtemp(join(tmpdir(), "cwl-kill-")));
	const stage = await setStage({ directory, seed, api: APIS[seed % APIS.length] ?? "anthropic" });
	try {
		await open(stage);
		const calm: Calm = { files: await listFiles(stage.home), pids: await processesIn(stage.work) };
		const past: Past = { torn: new Set(), wasLocked: false, task: 1 };
		for (const moment of moments) {
			if (signal.aborted) break;
			onReport(await killOnce(stage, calm, past, moment));
		}
	} finally {
		await stage.close();
	}
}

/** The files and processes before the first kill. */
interface Calm {
	readonly files: readonly string[];
	readonly pids: readonly string[];
}

/** The state that earlier processes left. */
interface Past {
	/** Lines that a kill tore. */
	readonly torn: Set<string>;
	wasLocked: boolean;
	/** The next task. */
	task: number;
}

async function killOnce(stage: Stage, calm: Calm, past: Past, moment: Moment): Promise<KillReport> {
	const before = await readSessionFile(stage.file);
	past.torn.add(before.tail);
	await copyFile(stage.file, stage.before);
	const prompt = stage.prompts[past.task] ?? "";
	const expected = await stage.expectRequest(prompt);
	const requests = stage.server.records().length;
	const run = await runUntil(stage, past.task, moment);
	await waitForOrphans(stage.work, calm.pids);
	const after = await readSessionFile(stage.file);
	const passes = countPasses(after);
	const files = await listFiles(stage.home);
	const isOther = run.first !== undefined && JSON.stringify(run.first.body) !== expected;
	const again = isOther ? await stage.expectRequest(prompt) : expected;
	const findings = [
		...checkGrowth(before, after),
		...checkChain(after, past.torn),
		...checkReported(after, run.reported),
		...checkFirst(run, { expected, again }, passes > countPasses(before) || isPassOpen(before)),
		...checkLeftovers(calm.files, files, past.wasLocked),
		...checkLocks(await listFiles(stage.work)),
		...checkRefusals(stage.server.records().slice(requests)),
	];
	past.wasLocked = await outwaitLock(files);
	past.task = run.task;
	return {
		...{ moment, passes, findings },
		isMoment: run.isMoment,
		isCompared: run.first !== undefined,
		isLate: run.first !== undefined && differInStatusOnly(JSON.stringify(run.first.body), expected),
		isTorn: after.tail !== "",
		isLocked: past.wasLocked,
		entries: after.lines.length,
	};
}

/** Runs the first task without a kill: before an answer there is no session file. */
async function open(stage: Stage): Promise<void> {
	const pi = stage.start({ hooks: {} });
	await pi.prompt(stage.prompts[0] ?? "");
	await pi.close();
}

/**
 * The request of the reference run before the process started, and, if that differs, its request for the same file
 * afterwards.
 */
interface ExpectedRequests {
	readonly expected: string;
	readonly again: string;
}

/**
 * Checks that the first request is the reference run's, but for a git status that came late, and that it extends the last one before the kill unless a
 * pass lies between.
 */
function checkFirst(
	{ first }: ProcessRun,
	{ expected, again }: ExpectedRequests,
	isPass: boolean,
): readonly string[] {
	if (!first) return [];
	const sent = JSON.stringify(first.body);
	const now = again === sent ? "sends it too when asked again" : "does not send it when asked again either";
	const what = `the first request after the kill is not what an unkilled process sends, which ${now}`;
	return [
		...(sent === expected || differInStatusOnly(sent, expected)
			? []
			: [`${what}: ${showDifference(sent, expected)}`]),
		...(first.extendsPrevious || isPass ? [] : ["the first request after the kill has lost its prefix"]),
	];
}

/** The place where two texts differ, with the text around it. */
function showDifference(sent: string, expected: string): string {
	let at = 0;
	while (sent[at] === expected[at]) at += 1;
	const from = Math.max(0, at - 100);
	return `at ${at}, ${JSON.stringify(sent.slice(from, at + 100))} for ${JSON.stringify(expected.slice(from, at + 100))}`;
}

function checkRefusals(records: readonly RequestRecord[]): readonly string[] {
	return records.flatMap(({ refused }) =>
		refused ? [`the server refused a request: ${refused.message}`] : [],
	);
}

/** True for a pass without a later answer: the file does not tell whether its request was sent before the kill. */
function isPassOpen({ lines }: SessionFile): boolean {
	const answer = lines.findLastIndex((line) => line.includes('"role":"assistant"'));
	return lines.slice(answer + 1).some(isPassLine);
}

const isPassLine = (line: string): boolean => line.includes(`"customType":"${PASS_ENTRY}"`);

function countPasses({ lines }: SessionFile): number {
	return lines.filter(isPassLine).length;
}
