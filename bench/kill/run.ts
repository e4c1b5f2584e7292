/** Sessions that are killed again and again: after each kill, what the next process finds. */
import { copyFile, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiName, RequestRecord } from "#loopback";
import { PASS_ENTRY } from "#pi";
import { type Life, live } from "./agent-process.ts";
import type { Moment } from "./kill-schedule.ts";
import {
	checkLeftovers,
	checkLocks,
	listFiles,
	outwaitLock,
	processesIn,
	waitForOrphans,
} from "./leftovers.ts";
import { checkChain, checkGrowth, checkTold, readSessionFile, type SessionFile } from "./session-file.ts";
import { type Stage, setStage } from "./stage.ts";

/** What one kill came to. */
export interface KillReport {
	readonly moment: Moment;
	/** Whether the moment came; else the process was killed when its tasks were done. */
	readonly isMoment: boolean;
	/** Whether its first request was held against the twin's. */
	readonly isCompared: boolean;
	/** Whether the kill left a line that was cut short. */
	readonly isTorn: boolean;
	/** Whether it left pi's lock of its settings, which the next process took away. */
	readonly isLocked: boolean;
	/** Entries of the session file, all of them looked at. */
	readonly entries: number;
	readonly passes: number;
	/** What is wrong; empty is good. */
	readonly findings: readonly string[];
}

const APIS: readonly ApiName[] = ["anthropic", "responses", "completions"];

/** Kill one session at each of these moments, resuming it each time. */
export async function killSession(
	seed: number,
	moments: readonly Moment[],
	onReport: (report: KillReport) => void,
): Promise<void> {
	const directory = await realpath(await mkdtemp(join(tmpdir(), "cwl-kill-")));
	const stage = await setStage({ directory, seed, api: APIS[seed % APIS.length] ?? "anthropic" });
	try {
		await open(stage);
		const calm: Calm = { files: await listFiles(stage.home), pids: await processesIn(stage.work) };
		const past: Past = { torn: new Set(), wasLocked: false, task: 1 };
		for (const moment of moments) onReport(await killOnce(stage, calm, past, moment));
	} finally {
		await stage.close();
	}
}

/** What there is when nothing was killed. */
interface Calm {
	readonly files: readonly string[];
	readonly pids: readonly string[];
}

/** What the lives before have left. */
interface Past {
	/** Lines that were cut short. */
	readonly torn: Set<string>;
	wasLocked: boolean;
	/** The task that comes next. */
	task: number;
}

async function killOnce(stage: Stage, calm: Calm, past: Past, moment: Moment): Promise<KillReport> {
	const before = await readSessionFile(stage.file);
	past.torn.add(before.tail);
	await copyFile(stage.file, stage.before);
	const prompt = stage.prompts[past.task] ?? "";
	const expected = await stage.twin.nextRequest(stage.before, prompt);
	const requests = stage.server.records().length;
	const life = await live(stage, past.task, moment);
	await waitForOrphans(stage.work, calm.pids);
	const after = await readSessionFile(stage.file);
	const passes = countPasses(after);
	const files = await listFiles(stage.home);
	const isOther = life.first !== undefined && JSON.stringify(life.first.body) !== expected;
	const again = isOther ? await stage.twin.nextRequest(stage.before, prompt) : expected;
	const findings = [
		...checkGrowth(before, after),
		...checkChain(after, past.torn),
		...checkTold(after, life.told),
		...checkFirst(life, { expected, again }, passes > countPasses(before) || isPassOpen(before)),
		...checkLeftovers(calm.files, files, past.wasLocked),
		...checkLocks(await listFiles(stage.work)),
		...checkRefusals(stage.server.records().slice(requests)),
	];
	past.wasLocked = await outwaitLock(files);
	past.task = life.task;
	return {
		...{ moment, passes, findings },
		isMoment: life.isMoment,
		isCompared: life.first !== undefined,
		isTorn: after.tail !== "",
		isLocked: past.wasLocked,
		entries: after.lines.length,
	};
}

/** The first task, in peace: before an answer there is no session file. */
async function open(stage: Stage): Promise<void> {
	const pi = stage.start({ hooks: {} });
	await pi.prompt(stage.prompts[0] ?? "");
	await pi.close();
}

/** What the twin said before the process lived, and, where that differs, what it says of the same file after it. */
interface Twins {
	readonly expected: string;
	readonly again: string;
}

/** The first request is the twin's, and goes on from the last one of the process before, unless a pass lies between. */
function checkFirst({ first }: Life, { expected, again }: Twins, isPass: boolean): readonly string[] {
	if (!first) return [];
	const sent = JSON.stringify(first.body);
	const now = again === sent ? "sends it too when asked again" : "does not send it when asked again either";
	const what = `the first request after the kill is not what an unkilled process sends, which ${now}`;
	return [
		...(sent === expected ? [] : [`${what}: ${showDifference(sent, expected)}`]),
		...(first.extendsPrevious || isPass ? [] : ["the first request after the kill has lost its prefix"]),
	];
}

/** Where two texts part, and how each goes on from there. */
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

/** A pass that no answer follows: whether its request went out before the kill is not in the file. */
function isPassOpen({ lines }: SessionFile): boolean {
	const answer = lines.findLastIndex((line) => line.includes('"role":"assistant"'));
	return lines.slice(answer + 1).some(isPassLine);
}

const isPassLine = (line: string): boolean => line.includes(`"customType":"${PASS_ENTRY}"`);

function countPasses({ lines }: SessionFile): number {
	return lines.filter(isPassLine).length;
}
