/**
 * `npm run bench -- single-session`: the paper's protocol, many tasks in one session. A scripted worker does generated tasks
 * in a generated repository, without a key or network. It knows only what each request holds, so that what a policy takes
 * away costs it requests, and past its patience the task.
 */
import { sum } from "#replay/recording";
import { createProgress, defineBench, readBudgets, readChoice, readCount } from "../bench.ts";
import { describeSurroundings } from "../surroundings.ts";
import { type Condition, parseConditions } from "./conditions.ts";
import { startScriptedLoop } from "./local-agent.ts";
import { scriptedPi } from "./pi-agent.ts";
import { type Asked, askQuestions, formatAnswers } from "./questions.ts";
import {
	formatPage,
	type KeptRun,
	keepRun,
	loadPrices,
	makeReport,
	PRICED,
	type Prices,
	readKeptRun,
	summariseRun,
} from "./report.ts";
import { DIFFICULTIES, type Difficulty, generatedStage, type RunOptions, runCondition } from "./run.ts";

export const bench = defineBench({
	flags: {
		tasks: { type: "string", default: "89", about: "how many" },
		seeds: { type: "string", default: "1", about: "how many seeds" },
		"seed-from": { type: "string", default: "1", about: "the first seed; the others follow it" },
		conditions: {
			type: "string",
			default: "isolated,cwl",
			about: `isolated (a session for each task), compaction (pi's own), a policy of cwl, or with
--in-process a policy of cwl replay (recency, window, masking, ...); NAME-without-recall, NAME-without-marks; paper-flipped-50: half of the marks damaged (flipped, dependencies-dropped, dependencies-invented,
never-ended, name-reused, unmarked)`,
		},
		budget: { type: "string", default: "80k", about: "one or more, such as 80k,50k,20k" },
		keep: {
			type: "string",
			example: "DIR",
			about: "keep the figures of each finished run there, and do not run again what is there",
		},
		"in-process": {
			type: "boolean",
			default: false,
			about: "without pi and HTTP: faster, and for sessions of many tasks",
		},
		"seconds-apart": {
			type: "string",
			default: "0",
			about: "how far apart the requests are by the clock of the provider's cache; not with --in-process",
		},
		difficulty: {
			type: "string",
			default: "normal",
			about: `normal (the repository answers everything), hard (some facts were only said or shown, long ago),
hard-noted (the worker writes the ids that it sees into its own words), or follow-ups (normal, and a
quarter goes back to what the task before has changed)`,
		},
		questions: {
			type: "boolean",
			default: false,
			about: `instead of running conditions: run a hard session once, ask twelve questions about it after the passes
of every policy of cwl replay, and count the answers in sight, after one recall and lost`,
		},
	},
	async run({ values, signal }) {
		const first = readCount("seed-from", values["seed-from"]);
		const tasks = readCount("tasks", values.tasks);
		const seeds = Array.from({ length: readCount("seeds", values.seeds) }, (_, index) => first + index);
		if (values.questions) {
			const [budget = 0] = readBudgets(values.budget);
			const asked: Asked[] = [];
			for (const seed of seeds) asked.push(await askQuestions({ seed, tasks, budget, signal }));
			return { figures: { version: 1, ...describeSurroundings(), asked }, text: () => formatAnswers(asked) };
		}
		const plan: Plan = {
			...{ tasks, seeds },
			conditions: parseConditions(values.conditions, readBudgets(values.budget)),
			difficulty: readChoice("difficulty", values.difficulty, DIFFICULTIES),
			keep: values.keep,
			isInProcess: values["in-process"],
			secondsApart: readCount("seconds-apart", values["seconds-apart"], 0),
			prices: await loadPrices(),
		};
		const report = makeReport(await makeRuns(plan, signal), signal.aborted);
		return { figures: report, text: () => formatPage(report) };
	},
});

interface Plan {
	readonly tasks: number;
	readonly seeds: readonly number[];
	readonly conditions: readonly Condition[];
	readonly difficulty: Difficulty;
	readonly keep: string | undefined;
	readonly isInProcess: boolean;
	readonly secondsApart: number;
	readonly prices: Prices;
}

/** Runs seed by seed, so that an interrupted comparison has figures of every condition. */
async function makeRuns(plan: Plan, signal: AbortSignal): Promise<readonly KeptRun[]> {
	const { isInProcess, difficulty, tasks, keep, seeds } = plan;
	const agent = isInProcess ? "in-process" : "pi";
	const start = isInProcess ? startScriptedLoop : scriptedPi(plan.secondsApart);
	const about = await describeRun();
	const planned = await Promise.all(
		seeds.flatMap((seed) =>
			plan.conditions.map(async (condition) => {
				const name = { agent, difficulty, condition, tasks, seed };
				return { condition, seed, known: keep === undefined ? undefined : await readKeptRun(keep, name) };
			}),
		),
	);
	const left = planned.filter(({ known }) => known === undefined).length;
	const progress = createProgress(left * tasks, "tasks");
	const runs: KeptRun[] = [];
	let done = 0;
	for (const { condition, seed, known } of planned) {
		if (known) runs.push(known);
		if (known || signal.aborted) continue;
		const before = done;
		const onProgress: RunOptions["onProgress"] = ({ results, requests }) => {
			done = before + results.length;
			const solved = results.filter(({ isSolved }) => isSolved).length;
			const tokens = sum(requests.map((request) => request.tokens));
			const figures = `${solved} solved, ${requests.length} requests, ${(tokens / 1e6).toFixed(1)}M tokens`;
			progress(done, `${condition.name}, seed ${seed}: ${figures}`);
		};
		const stage = generatedStage(difficulty, seed, tasks);
		const record = await runCondition({ ...stage, condition, seed, difficulty, signal, onProgress }, start);
		const figures = summariseRun(record, plan.prices);
		const run: KeptRun = { version: 3, ...about, agent, isTerse: false, difficulty, condition, figures };
		runs.push(run);
		if (keep !== undefined && !signal.aborted) await keepRun(keep, run);
	}
	return runs;
}

async function describeRun() {
	const pi = await import("@mariozechner/pi-coding-agent");
	return {
		...describeSurroundings(),
		versions: [`pi ${pi.VERSION}`, `prices of ${PRICED.join(" and ")}`],
	};
}
