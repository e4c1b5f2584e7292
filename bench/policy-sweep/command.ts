/** `npm run bench -- policy-sweep`: a sweep over policies and budgets, and one page with a figure from it. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { mergeReport } from "#lab";
import { CwlError } from "#pi";
import { catchInterrupt, INTERRUPTED } from "../progress.ts";
import { describeSurroundings, type ResultsFile, readResults, writeResults } from "../results-file.ts";
import { readKeptRuns } from "../single-session/kept-runs.ts";
import { makeReport } from "../single-session/report.ts";
import { drawSweep } from "./figure.ts";
import { pickSessions, pickTasks, type SweepFigures } from "./figures.ts";
import { formatSweepDoc } from "./page.ts";
import { DEFAULT_BUDGETS, rowsFile, runSteps, type SweepPlan, stepsOf, tasksFolder } from "./steps.ts";

export const help = `npm run bench -- policy-sweep [PATH... --keep FOLDER]: what each policy costs, solves and keeps under each budget

It runs compaction, paper, cwl and cwl-economy on 89 tasks in one session, normal and hard, and on recorded sessions, and
makes a page with a figure. It says how long each step still takes, and a run that was stopped goes on where it stopped.

  PATH            recorded sessions, files or folders, in any format that cwl replay reads
  --keep FOLDER   what is finished is kept there
  --shard 1/4     a sample of the sessions: each 4th, from the first on; all when left out
  --seeds 1       seeds of the tasks
  --tasks 89      how many
  --budget LIST   ${DEFAULT_BUDGETS} when left out
  --kept          run nothing: the page of what is finished in FOLDER
  --write         keep the figures in bench/results, and write docs/policy-sweep.md and its figure
                  Without --keep the page is made of the figures that were kept
`;

const flags = {
	keep: { type: "string" },
	shard: { type: "string", default: "1/1" },
	seeds: { type: "string", default: "1" },
	tasks: { type: "string", default: "89" },
	budget: { type: "string", default: DEFAULT_BUDGETS },
	kept: { type: "boolean", default: false },
	write: { type: "boolean", default: false },
} as const;

const KEPT = "policy-sweep";
const docs = join(import.meta.dirname, "..", "..", "docs");

/** Returns 0, or 130 where Ctrl-C stopped it. @throws CwlError for wrong arguments, and where nothing was kept */
export async function run(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	const { keep, write, budget: budgets, shard, seeds, tasks } = values;
	if (keep === undefined) {
		if (positionals.length > 0 || values.kept)
			throw new CwlError("bad-flag", "--keep FOLDER is missing: it says where what is finished is kept.");
		return await publish(await readKept(), write);
	}
	const plan: SweepPlan = { paths: positionals, folder: resolve(keep), shard, seeds, tasks, budgets };
	if (!values.kept && !(await runAll(plan))) return INTERRUPTED;
	const command = `npm run bench -- policy-sweep DIR --keep FOLDER${shard === "1/1" ? "" : ` --shard ${shard}`} --write`;
	const figures = await readFigures(plan);
	if (write) await writeResults(KEPT, command, figures);
	return await publish({ version: 1, ...describeSurroundings(), command, figures }, write);
}

async function runAll(plan: SweepPlan): Promise<boolean> {
	if (plan.paths.length === 0) throw new CwlError("no-sessions", "name recorded sessions: files or folders.");
	const { signal, release } = catchInterrupt();
	try {
		return await runSteps(stepsOf({ ...plan, paths: plan.paths.map((path) => resolve(path)) }), signal);
	} finally {
		release();
	}
}

async function publish(made: ResultsFile<SweepFigures>, isWritten: boolean): Promise<number> {
	if (isWritten) {
		await writeFile(join(docs, "policy-sweep.md"), formatSweepDoc(made));
		await writeFile(join(docs, "policy-sweep.svg"), drawSweep(made.figures));
	} else process.stdout.write(formatSweepDoc(made));
	return 0;
}

async function readFigures(plan: SweepPlan): Promise<SweepFigures> {
	const runs = [...(await readKeptRuns(tasksFolder(plan))).values()];
	return {
		tasks: pickTasks(makeReport(runs, false)),
		sessions: await pickSessions(await mergeReport([rowsFile(plan)])),
	};
}

/** The kept figures. @throws CwlError `no-results` */
export async function readKept(): Promise<ResultsFile<SweepFigures>> {
	const kept = await readResults<SweepFigures>(KEPT);
	if (kept) return kept;
	throw new CwlError("no-results", "no sweep was kept: name the runs with --tasks and --rows.");
}
