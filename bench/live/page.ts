/** The page of a live run: a verdict, a row for each arm, and the registered tests. */

import { sum } from "#replay/recording";
import { markdownTable } from "#replay/report";
import { dollars, thousands } from "../figures.ts";
import type { Surroundings } from "../surroundings.ts";
import type { LiveFigures } from "./run-arms.ts";
import type { ArmFigures, TrialFigures } from "./session-figures.ts";
import { countLower, drawInterval, meanOf, signTest } from "./statistics.ts";

export interface LiveReport extends LiveFigures, Surroundings {
	readonly version: 1;
	readonly isRehearsal: boolean;
	readonly model: string;
	/** Such as `89 hard tasks`. */
	readonly tasks: string;
	readonly seed: number;
	readonly budget: string;
	/** The flags with which the run is made again. */
	readonly flags: string;
}

/** Points of the share of solved tasks that `cwl` may be worse by. */
const MARGIN = 0.07;

/** The tasks that need a fact which no file holds. */
const QUESTION = /-(recite|first|insert|why|release|advise|total)$/;

/** The report as Markdown. */
export function formatLivePage(report: LiveReport): readonly string[] {
	const { isRehearsal, model, tasks, seed, budget, date, commit, spent, ending } = report;
	const done = Math.min(...report.arms.map(({ trials }) => trials.length));
	const arms = report.arms.map((arm) => ({ ...arm, trials: arm.trials.slice(0, done) }));
	const dropped = sum(arms.map((arm) => arm.dropped));
	const rehearsed =
		"**No model took part.** The scripted worker did the tasks through the real pi, to show that the command works to its end.";
	const unfinished = `Unfinished, because ${ending}: the ${done} tasks that every arm has done. What follows is a look before the end, not the registered test.`;
	return [
		`# ${isRehearsal ? "Rehearsal" : "Live run"}: ${tasks}, ${arms.length} arms`,
		"",
		...(isRehearsal ? [rehearsed, ""] : []),
		...(ending === "" ? [] : [unfinished, ""]),
		`- \`npm run bench -- live ${report.flags}\``,
		`- ${model}, budget ${budget}, ${date}, commit ${commit}, seed ${seed}: each task is done by all arms, in an order drawn for it`,
		`- ${dollars(spent)} in all, ${dollars(dropped)} of it for attempts that were interrupted or repeated; by pi's prices, calls for summaries estimated`,
		"",
		...markdownTable([
			Object.keys(columns),
			...arms.map((arm) => Object.values(columns).map((cell) => cell(arm))),
		]),
		"",
		"Tokens: input, cached or not. Marks kept: episodes that the model ended and that did what their kind says.",
		"",
		...formatTests(arms),
	];
}

const totalOf = ({ trials }: ArmFigures, of: (trial: TrialFigures) => number) => sum(trials.map(of));
const isSolved = ({ solved }: TrialFigures) => Number(solved);
const costOf = ({ cost }: TrialFigures) => cost;

const columns: Readonly<Record<string, (arm: ArmFigures) => string>> = {
	arm: ({ name }) => name,
	solved: (arm) => `${totalOf(arm, isSolved)} of ${arm.trials.length}`,
	"facts known"({ trials }) {
		const asked = trials.filter(({ task }) => QUESTION.test(task));
		return asked.length === 0 ? "-" : `${sum(asked.map(isSolved))} of ${asked.length}`;
	},
	cost: (arm) => dollars(totalOf(arm, costOf)),
	"cost per solved"(arm) {
		const solved = totalOf(arm, isSolved);
		return solved === 0 ? "-" : `$${(totalOf(arm, costOf) / solved).toFixed(3)}`;
	},
	tokens: (arm) => `${(totalOf(arm, ({ tokens }) => tokens) / 1e6).toFixed(2)}M`,
	"largest request": ({ trials }) => thousands(Math.max(0, ...trials.map(({ largest }) => largest))),
	minutes: (arm) => (totalOf(arm, ({ seconds }) => seconds) / 60).toFixed(1),
	"re-reads": (arm) => String(totalOf(arm, ({ rereads }) => rereads)),
	recalls: (arm) => String(totalOf(arm, ({ recalls }) => recalls)),
	"marks made, kept": ({ marks }) => (marks.made === 0 ? "-" : `${marks.made}, ${marks.kept}`),
	summaries: (arm) => String(totalOf(arm, ({ summaries }) => summaries)),
	"failed requests": (arm) => String(totalOf(arm, ({ faults }) => faults)),
};

/** The registered questions in their order: an interval of `cwl` against an arm, and what it has to lie above or, for costs, below. */
const QUESTIONS = [
	["isolated", `solves at most ${(100 * MARGIN).toFixed(0)} points less than`, "solved", -MARGIN],
	["compaction", "costs less per solved task than", "cost", 1],
	["paper", "solves no fewer tasks than", "solved", -Number.EPSILON],
	["compaction", "solves more tasks than", "solved", 0],
] as const;

function formatTests(arms: readonly ArmFigures[]): readonly string[] {
	const find = (policy: string) => arms.find(({ name }) => name.replace(/-\d+\w*$/, "") === policy);
	const cwl = find("cwl");
	const others = arms.filter((arm) => arm !== cwl);
	if (!cwl || others.length === 0 || cwl.trials.length === 0)
		return ["No tests: they need `cwl`, another arm, and a task that both have done."];
	const answers = QUESTIONS.flatMap(([policy, claim, figure, limit]) => {
		const arm = find(policy);
		if (!arm) return [];
		const { isShown, words } =
			figure === "cost" ? compareCosts(cwl, arm, limit) : compareShares(cwl, arm, limit);
		return [`\`cwl\` ${claim} \`${arm.name}\`: **${isShown ? "shown" : "not shown"}**, ${words}.`];
	});
	return [
		"## Registered tests",
		"",
		"The first is the primary one. 95 % intervals are from 10,000 draws of whole tasks.",
		"",
		...answers.map((answer, index) => `${index + 1}. ${answer}`),
		"",
		"Task by task: tasks that only `cwl` or only the other arm solved (McNemar's exact test), and tasks in which `cwl` or the other was lower (sign test).",
		"",
		...markdownTable([
			["cwl against", "solved", ...Object.keys(PAIRED)],
			...others.map((arm) => [arm.name, ...compareTasks(cwl, arm)]),
		]),
	];
}

type Drawn = readonly number[];
const shareSolved = ({ trials }: ArmFigures, drawn: Drawn) => meanOf(drawn, trials.map(isSolved));
const pricePerSolved = (arm: ArmFigures, drawn: Drawn) =>
	meanOf(drawn, arm.trials.map(costOf)) / shareSolved(arm, drawn);

/** The difference of the shares of solved tasks. */
function compareShares(one: ArmFigures, other: ArmFigures, limit: number) {
	const difference = (drawn: Drawn) => shareSolved(one, drawn) - shareSolved(other, drawn);
	const [low, high] = drawInterval(one.trials.length, difference);
	return { isShown: low > limit, words: `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} points` };
}

/** The ratio of the costs of a solved task. */
function compareCosts(one: ArmFigures, other: ArmFigures, limit: number) {
	const ratio = (drawn: Drawn) => pricePerSolved(one, drawn) / pricePerSolved(other, drawn);
	const [low, high] = drawInterval(one.trials.length, ratio);
	return { isShown: high < limit, words: `${low.toFixed(2)} to ${high.toFixed(2)} times as much` };
}

const PAIRED = {
	cost: costOf,
	tokens: ({ tokens }) => tokens,
	"wall time": ({ seconds }) => seconds,
	"re-reads": ({ rereads }) => rereads,
} as const satisfies Readonly<Record<string, (trial: TrialFigures) => number>>;

function compareTasks(cwl: ArmFigures, arm: ArmFigures): readonly string[] {
	const isFailed = ({ solved }: TrialFigures) => Number(!solved);
	return [isFailed, ...Object.values(PAIRED)].map((of) => {
		const [one, other] = countLower(cwl.trials.map(of), arm.trials.map(of));
		const chance = signTest(one, other);
		return `${one}, ${other} (p ${chance < 0.001 ? "< 0.001" : chance.toFixed(3)})`;
	});
}
