/** `npm run bench -- single-session`: the paper's protocol, many tasks in one session, without a key or network. */
import { parseArgs } from "node:util";
import { budgetTokens, CwlError, parseBudget } from "#pi";
import { loadModelPrices } from "#replay";
import { readCount } from "../arguments.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { describeSurroundings } from "../results-file.ts";
import { type Condition, parseConditions } from "./conditions.ts";
import { type Difficulty, parseDifficulty } from "./difficulty.ts";
import { type Prices, summariseRun } from "./figures.ts";
import { type KeptRun, keepRun, nameRun, readKeptRuns } from "./kept-runs.ts";
import { startWithModel } from "./model-agent.ts";
import { formatPage } from "./page.ts";
import { makeReport } from "./report.ts";
import { type RunProgress, runCondition, type StartAgent } from "./run.ts";
import { startScriptedLoop, startScriptedPi } from "./scripted-agents.ts";

export const help = `npm run bench -- single-session: many tasks in one session, each verified in the repository

A scripted worker does generated tasks in a generated repository through the real pi. It knows only what each request
holds, so that what a policy takes away costs it requests, and past its patience the task.

  --tasks 89               how many
  --seeds 1                how many seeds, from 1
  --conditions isolated,cwl  isolated (a session for each task), compaction (pi's own), compaction-lossy and
                           compaction-inventing (worse summaries), a policy of cwl, or a policy of
                           cwl replay such as recency, window, masking, context-folding; NAME-by-recall: the worker
                           recalls files that left instead of reading them again; paper-flipped-50: half of the marks
                           damaged (flipped, dependencies-dropped, dependencies-invented, never-ended, name-reused, unmarked)
  --budget 80k             one or more, such as 80k,50k,20k
  --keep DIR               keep the figures of each finished run there, and do not run again what is there
  --kept                   no new runs: report those of --keep DIR
  --in-process             without pi and HTTP: faster, and for sessions of many tasks
  --difficulty normal      normal (the repository answers everything), hard (some facts were only said or shown, long
                           ago), or hard-noted (the worker writes the ids that it sees into its own words)
  --terse                  requests without anything around them
  --model provider/id      a real model, with the keys that pi has, in place of the worker
  --max-cost 5             dollars after which a run with a real model stops
  --json                   figures as JSON; otherwise a page of Markdown
`;

const flags = {
	tasks: { type: "string", default: "89" },
	seeds: { type: "string", default: "1" },
	conditions: { type: "string", default: "isolated,cwl" },
	budget: { type: "string", default: "80k" },
	keep: { type: "string" },
	kept: { type: "boolean", default: false },
	"in-process": { type: "boolean", default: false },
	difficulty: { type: "string", default: "normal" },
	terse: { type: "boolean", default: false },
	model: { type: "string" },
	"max-cost": { type: "string" },
	json: { type: "boolean", default: false },
} as const;

/** The models whose list prices apply to the traffic of the scripted model. */
const PRICED = ["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"];

/** Exit code 0 if every run ended, 130 if interrupted; both print the finished runs. */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const plan = await readPlan(values);
	const { signal, release } = catchInterrupt();
	try {
		const runs = values.kept ? await readKept(plan) : await makeRuns(plan, signal);
		const report = makeReport(runs, signal.aborted);
		process.stdout.write(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : formatPage(report));
		return signal.aborted ? INTERRUPTED : 0;
	} finally {
		release();
	}
}

interface Plan {
	readonly tasks: number;
	readonly seeds: readonly number[];
	readonly conditions: readonly Condition[];
	readonly isTerse: boolean;
	readonly difficulty: Difficulty;
	readonly keep: string | undefined;
	readonly agent: string;
	readonly start: StartAgent;
	readonly prices: Prices;
}

type Values = ReturnType<typeof parseArgs<{ options: typeof flags }>>["values"];

async function readPlan(values: Values): Promise<Plan> {
	const budgets = values.budget.split(",").map((text) => budgetTokens(parseBudget(text.trim()), undefined));
	const [anthropic, openai] = await loadModelPrices(PRICED);
	if (!anthropic || !openai) throw new CwlError("no-price", `no prices for ${PRICED.join(" and ")}.`);
	return {
		tasks: readCount("tasks", values.tasks),
		seeds: Array.from({ length: readCount("seeds", values.seeds) }, (_, index) => index + 1),
		conditions: parseConditions(values.conditions, budgets),
		isTerse: values.terse,
		difficulty: parseDifficulty(values.difficulty),
		keep: values.keep,
		...chooseAgent(values),
		prices: { anthropic, openai },
	};
}

function chooseAgent(values: Values): Pick<Plan, "agent" | "start"> {
	const { model, "in-process": isInProcess, "max-cost": maxCost } = values;
	if (model === undefined) {
		if (maxCost !== undefined)
			throw new CwlError("bad-flag", "--max-cost goes with --model: nothing else costs anything.");
		return isInProcess
			? { agent: "in-process", start: startScriptedLoop }
			: { agent: "pi", start: startScriptedPi };
	}
	if (isInProcess) throw new CwlError("bad-flag", "--model needs the real pi: leave out --in-process.");
	const dollars = Number(maxCost);
	if (maxCost === undefined || !(dollars > 0)) {
		throw new CwlError(
			"bad-flag",
			"--model spends your money: say how much at most, in dollars, such as --max-cost 5.",
		);
	}
	return { agent: model, start: startWithModel(model, dollars) };
}

async function readKept({ keep }: Plan): Promise<readonly KeptRun[]> {
	if (keep === undefined)
		throw new CwlError("bad-flag", "--kept goes with --keep DIR, which says where they are.");
	return [...(await readKeptRuns(keep)).values()];
}

/** Runs seed by seed, so that an interrupted comparison has figures of every condition. */
async function makeRuns(plan: Plan, signal: AbortSignal): Promise<readonly KeptRun[]> {
	const kept = plan.keep === undefined ? new Map<string, KeptRun>() : await readKeptRuns(plan.keep);
	const about = await describeRun();
	const { agent, isTerse, difficulty, tasks } = plan;
	const planned = plan.seeds.flatMap((seed) =>
		plan.conditions.map((condition) => {
			const name = nameRun({ agent, isTerse, difficulty, condition, tasks, seed });
			return { condition, seed, known: kept.get(name) };
		}),
	);
	const left = planned.filter(({ known }) => known === undefined).length;
	const progress = createProgress(left * tasks, "tasks");
	const runs: KeptRun[] = [];
	let done = 0;
	for (const { condition, seed, known } of planned) {
		if (known) runs.push(known);
		if (known || signal.aborted) continue;
		const before = done;
		const onProgress = ({ done: own, solved, requests, tokens }: RunProgress) => {
			done = before + own;
			const figures = `${solved} solved, ${requests} requests, ${(tokens / 1e6).toFixed(1)}M tokens`;
			progress(done, `${condition.name}, seed ${seed}: ${figures}`);
		};
		const record = await runCondition(
			{ condition, seed, tasks, isTerse, difficulty, signal, onProgress },
			plan.start,
		);
		const figures = summariseRun(record, plan.prices);
		const run: KeptRun = { version: 3, ...about, agent, isTerse, difficulty, condition, figures };
		runs.push(run);
		if (plan.keep !== undefined && !signal.aborted) await keepRun(plan.keep, run);
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
