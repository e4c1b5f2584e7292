/** `npm run kill`: kills the real pi at random moments, resumes it, and checks the state that the next process finds. */

import { copyFile } from "node:fs/promises";
import { fieldsOf } from "#basics";
import { PASS_ENTRY } from "#pi/session";
import type { ApiName } from "#testing/wire";
import { count, createProgress, defineBench, inNewFolder } from "../bench.ts";
import { today } from "../surroundings.ts";
import {
	checkChain,
	checkGrowth,
	checkLeftovers,
	checkReported,
	differInStatusOnly,
	listFiles,
	processesIn,
	readSessionFile,
	type SessionFile,
	waitForOrphans,
} from "./checks.ts";
import { drawMoment, MOMENT_TYPES, type Moment, runUntil } from "./kill-moment.ts";
import { type Stage, setStage } from "./stage.ts";

const KILLS_PER_SESSION = 20;

export const bench = defineBench({
	flags: {
		runs: count("20", `kills, in sessions of ${KILLS_PER_SESSION} kills each`, 0),
		seed: count("1", "of the moments, the repositories and the tasks", 0),
	},
	notes: `Exit code 1 if anything is wrong. CWL_LANE='["node","cli.js"]' takes another pi (see .ci/lanes).`,
	async run({ values: { runs, seed }, signal }) {
		const reports: KillReport[] = [];
		const progress = createProgress(runs, "kills");
		const drawn = Array.from({ length: runs }, (_, run) => drawMoment(seed, run));
		for (let run = 0; run < runs && !signal.aborted; run += KILLS_PER_SESSION) {
			const moments = drawn.slice(run, run + KILLS_PER_SESSION);
			await killSession(seed * 1_000 + run / KILLS_PER_SESSION, moments, signal, (report) => {
				reports.push(report);
				if (report.findings.length > 0) process.stderr.write(`${JSON.stringify(report)}\n`);
				progress(reports.length);
			});
		}
		const findings = reports.filter((report) => report.findings.length > 0);
		const names = [...MOMENT_TYPES, ...KILL_MARKS];
		const counts = names.map((name) => {
			const is = ({ marks, moment }: KillReport) =>
				marks.some((mark) => mark === name) || (moment.type === name && !marks.includes("idle"));
			return [name, reports.filter(is).length] as const;
		});
		return {
			figures: { seed, kills: reports.length, ...Object.fromEntries(counts), findings, date: today() },
			lines: () => [
				`${reports.length} kills: ${counts.map(([name, number]) => `${number} ${name}`).join(", ")}`,
				...findings.map((report) => JSON.stringify(report)),
			],
			hasFailed: findings.length > 0,
		};
	},
});

/** The facts about one kill besides its faults. */
const KILL_MARKS = [
	/** Its moment did not come before the work was done. */
	"idle",
	/** The first request after it was compared with that of the reference run. */
	"compared",
	/** The two differed in the git status alone, because git answered too late. */
	"late",
	/** It left a torn line. */
	"torn",
] as const;

export interface KillReport {
	readonly moment: Moment;
	readonly marks: readonly (typeof KILL_MARKS)[number][];
	/** The faults found; empty is good. */
	readonly findings: readonly string[];
}

const APIS: readonly ApiName[] = ["anthropic", "responses", "completions"];

/** Kills one session at each of these moments and resumes it each time. */
export const killSession = (
	seed: number,
	moments: readonly Moment[],
	signal: AbortSignal,
	onReport: (report: KillReport) => void,
): Promise<void> =>
	inNewFolder(async (directory) => {
		const stage = await setStage(directory, seed, APIS[seed % APIS.length] ?? "anthropic");
		try {
			// The first task runs without a kill: before an answer there is no session file.
			const pi = stage.start();
			await pi.prompt(stage.prompts[0] ?? "");
			await pi.close();
			const past: Past = {
				files: await listFiles(stage.home),
				pids: await processesIn(stage.work),
				torn: new Set(),
				task: 1,
			};
			for (const moment of moments) {
				if (signal.aborted) break;
				onReport(await killOnce(stage, past, moment));
			}
		} finally {
			await stage.close();
		}
	});

interface Past {
	/** The files and processes before the first kill. */
	readonly files: readonly string[];
	readonly pids: readonly string[];
	/** Lines that a kill tore. */
	readonly torn: Set<string>;
	/** The next task. */
	task: number;
}

async function killOnce(stage: Stage, past: Past, moment: Moment): Promise<KillReport> {
	const before = await readSessionFile(stage.file);
	past.torn.add(before.tail);
	await copyFile(stage.file, stage.before);
	const prompt = stage.prompts[past.task] ?? "";
	const expected = await stage.expectRequest(prompt);
	const earlier = stage.server.records();
	const { first, reported, task, isMoment } = await runUntil(stage, past.task, moment);
	await waitForOrphans(stage.work, past.pids);
	const after = await readSessionFile(stage.file);
	const sent = first ? JSON.stringify(first.body) : expected;
	const isLate = differInStatusOnly(sent, expected);
	const isNew = countPasses(after) > countPasses(before) || isPassOpen(before);
	const mayBreak = isNew || isSummary(earlier.at(-1)?.body);
	const requests = stage.server.records().slice(earlier.length);
	const findings = [
		...checkGrowth(before, after),
		...checkChain(after, past.torn),
		...checkReported(after, reported),
		...(sent === expected || isLate
			? []
			: [describeOther(sent, expected, await stage.expectRequest(prompt))]),
		...(!first || first.extendsPrevious || mayBreak
			? []
			: ["the first request after the kill has lost its prefix"]),
		...checkLeftovers(past.files, await listFiles(stage.home), await listFiles(stage.work)),
		...requests.flatMap(({ refused }) =>
			refused ? [`the server refused a request: ${refused.message}`] : [],
		),
	];
	past.task = task;
	const is = { idle: !isMoment, compared: first !== undefined, late: isLate, torn: after.tail !== "" };
	return { moment, findings, marks: KILL_MARKS.filter((mark) => is[mark]) };
}

/** Returns true for the request of a compaction, which has no tools: the one behind it extends another. */
function isSummary(body: unknown): boolean {
	return body !== undefined && fieldsOf(body).tools === undefined;
}

/** Says where a first request differs from that of the reference run, which may send another one (`again`) for the same file now. */
function describeOther(sent: string, expected: string, again: string): string {
	let at = 0;
	while (sent[at] === expected[at]) at += 1;
	const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 100), at + 100));
	const now = again === sent ? "sends it too when asked again" : "does not send it when asked again either";
	return `the first request after the kill is not what an unkilled process sends, which ${now}: at ${at}, ${around(sent)} for ${around(expected)}`;
}

/** True for a pass without a later answer: the file does not tell whether its request was sent before the kill. */
function isPassOpen({ lines }: SessionFile): boolean {
	const answer = lines.findLastIndex((line) => line.includes('"role":"assistant"'));
	return lines.slice(answer + 1).some(isPassLine);
}

/** A compaction changes the beginning of the next request as a pass does. */
const isPassLine = (line: string): boolean =>
	line.includes(`"customType":"${PASS_ENTRY}"`) || line.startsWith('{"type":"compaction"');
const countPasses = ({ lines }: SessionFile): number => lines.filter(isPassLine).length;
