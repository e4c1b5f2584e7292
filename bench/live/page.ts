/** The page of a live run: what is not known, whether models mark, a row for each arm, and the one registered question. */
import { sum } from "#basics";
import { type Interval, markdownTable } from "#replay/report";
import { formatArms } from "../arms.ts";
import { dollars, percent, thousands } from "../figures.ts";
import type { Surroundings } from "../surroundings.ts";
import type { Bill } from "./provider.ts";
import type { LiveFigures } from "./run-arms.ts";
import type { LiveArm } from "./session-figures.ts";
import { BLOCK, pairedInterval, ratioInterval } from "./statistics.ts";

export interface LiveReport extends LiveFigures, Surroundings {
	readonly version: 2;
	readonly isRehearsal: boolean;
	readonly model: string;
	/** Such as `89 hard tasks`. */
	readonly tasks: string;
	readonly seed: number;
	readonly budget: string;
	/** The flags with which the run is made again. */
	readonly flags: string;
	/** The amount that the server of a rehearsal would have billed. */
	readonly billed: Bill | undefined;
}

/** The report as Markdown. */
export function formatLivePage(report: LiveReport): readonly string[] {
	const { isRehearsal, model, tasks, seed, budget, date, commit, spent, ending, billed } = report;
	const { arms, done, left } = comparable(report);
	const dropped = sum(report.arms, (arm) => arm.dropped);
	const rehearsed =
		"**No model took part.** The scripted worker did the tasks through the real pi, to show that the command works to its end. It says nothing about models.";
	const unfinished = `Stopped because ${ending}, after ${done} tasks that every arm has done. Neither money nor time knows the outcome, so whole blocks of ${BLOCK} tasks count as registered.`;
	return [
		`# ${isRehearsal ? "Rehearsal" : "Live run"}: ${tasks}, ${arms.length} arms`,
		"",
		...(isRehearsal ? [rehearsed, ""] : []),
		...(ending === "" ? [] : [unfinished, ""]),
		`- \`npm run bench -- live ${report.flags}\``,
		`- ${model}, budget ${budget}, ${date}, commit ${commit}, seed ${seed}: each task is done by all arms, in an order drawn for it`,
		`- ${dollars(spent)} in all, ${dollars(dropped)} of it for attempts that were interrupted or repeated; by pi's prices, calls for summaries estimated`,
		...(billed
			? [
					`- the server billed ${dollars(billed.cost)} for ${billed.requests} requests, ${billed.refused} of them refused, the largest ${thousands(billed.largest)}`,
				]
			: []),
		...(left > 0
			? [`- ${left} tasks are left out of all arms, because the provider failed twice in one of them`]
			: []),
		"",
		...formatMarking(report.arms),
		"## The arms",
		"",
		...formatArms(arms),
		"",
		...formatQuestion(arms),
	];
}

/** The tasks that every arm has done and none lost to the provider; of a run that was stopped, whole blocks of them. */
function comparable({ arms, ending }: LiveReport) {
	const all = Math.min(...arms.map(({ trials }) => trials.length));
	const done = ending === "" ? all : all - (all % BLOCK);
	const indexes = Array.from({ length: done }, (_, index) => index);
	const valid = indexes.filter((index) => arms.every(({ trials }) => !trials[index]?.isVoid));
	const kept = arms.map((arm) => ({ ...arm, trials: valid.flatMap((index) => arm.trials[index] ?? []) }));
	return { arms: kept, done, left: done - valid.length };
}

const markColumns: Readonly<Record<string, (arm: LiveArm) => string | number>> = {
	arm: ({ name }) => name,
	"work in episodes": ({ marks }) => percent(marks.share),
	episodes: ({ marks }) => marks.episodes,
	"never ended": ({ marks }) => marks.neverEnded,
	"acts without dependencies": ({ marks }) => marks.actsWithoutDependencies,
	"wrong kind": ({ marks }) => marks.wrongKind,
	recalls: ({ trials }) => sum(trials, ({ calls }) => calls.recalls),
	"tokens written, answered": ({ marks }) => `${marks.written}, ${marks.answered}`,
	seconds: ({ marks }) => marks.seconds.toFixed(0),
	"marks alone": ({ marks }) => marks.alone,
};

/** The first result: do models mark? */
function formatMarking(arms: readonly LiveArm[]): readonly string[] {
	const marking = arms.filter(({ name }) => name.startsWith("cwl") && !name.includes("without-marks"));
	if (marking.length === 0) return [];
	const rows = marking.map((arm) => Object.values(markColumns).map((cell) => String(cell(arm))));
	const lead =
		"Do models mark? Seconds and tokens are what marking costs; a mark that is sent alone costs a request.";
	return ["## Do models mark?", "", lead, "", ...markdownTable([Object.keys(markColumns), ...rows]), ""];
}

const points = ([low, high]: Interval) => `${(100 * low).toFixed(0)} to ${(100 * high).toFixed(0)} points`;
const times = ([low, high]: Interval) =>
	Number.isFinite(high) ? `${low.toFixed(2)} to ${high.toFixed(2)}` : "unknown from a single block of tasks";

/** The registered question: `cwl` against compaction. */
function formatQuestion(arms: readonly LiveArm[]): readonly string[] {
	const cwl = arms.find(({ name }) => /^cwl-(\d+\w*|auto)$/.test(name));
	const other = arms.find(({ name }) => name.startsWith("compaction"));
	if (!cwl || !other || cwl.trials.length === 0)
		return ["No comparison: it needs `cwl`, compaction, and a task that both have done."];
	const ours = cwl.trials.map((trial) => trial.cost);
	const theirs = other.trials.map((trial) => trial.cost);
	const cost = ratioInterval(ours, theirs);
	const solvedBy = ({ trials }: LiveArm) => trials.map(({ solved }) => solved);
	const solved = pairedInterval(solvedBy(cwl), solvedBy(other));
	const ratio = (sum(ours) / sum(theirs)).toFixed(2);
	return [
		"## The registered question",
		"",
		`Does \`cwl\` cost less than \`${other.name}\` for the same tasks? **${cost[1] < 1 ? "Shown" : "Not shown"}**: ${ratio} times as much, 95 % interval ${times(cost)}. Difference in solved tasks: ${points(solved)}.`,
		"",
		`Cost: 95 % intervals from 10,000 draws of blocks of ${BLOCK} tasks. Solved: Newcombe's interval for paired shares.`,
	];
}
