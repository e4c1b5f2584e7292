/** `npm run bench -- policy-sweep`: one page and one figure from the kept runs of a sweep over policies and budgets. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mergeReport } from "#lab";
import { CwlError } from "#pi";
import { describeSurroundings, type ResultsFile, readResults, writeResults } from "../results-file.ts";
import { readKeptRuns } from "../single-session/kept-runs.ts";
import { makeReport } from "../single-session/report.ts";
import { drawSweep } from "./figure.ts";
import { pickSessions, pickTasks, type SweepFigures } from "./figures.ts";
import { formatSweepDoc } from "./page.ts";

export const help = `npm run bench -- policy-sweep: what each policy costs, solves and keeps under each budget, as a page with a figure

It reads what two long runs keep. Both can be stopped, and go on where they stopped:

  npm run bench -- single-session --in-process --keep RUNS --budget 20k,30k,40k,50k,60k,80k,120k,160k \\
      --conditions isolated,none,compaction,paper,cwl,cwl-economy      (and again with --difficulty hard)
  cwl replay DIR --rows ROWS --no-times --annotate runs --what-if 20k,40k,80k,160k \\
      --policy compaction,paper,cwl,cwl-economy --model anthropic/claude-opus-5-5

  --tasks RUNS    the folder of the first; several if they are apart
  --rows ROWS     the file of the second; several for one that was shared out with --shard
  --write         keep the figures in bench/results, and write docs/policy-sweep.md and its figure
                  Without --tasks and --rows the page is made of the figures that were kept
`;

const flags = {
	tasks: { type: "string", multiple: true },
	rows: { type: "string", multiple: true },
	write: { type: "boolean", default: false },
} as const;

const KEPT = "policy-sweep";
const COMMAND = "npm run bench -- policy-sweep --tasks RUNS --rows ROWS --write";
const docs = join(import.meta.dirname, "..", "..", "docs");

/** Returns 0. @throws CwlError for wrong arguments, and where nothing was kept */
export async function run(argv: readonly string[]): Promise<number> {
	const { tasks, rows, write } = parseArgs({ args: [...argv], options: flags }).values;
	if ((tasks === undefined) !== (rows === undefined)) {
		throw new CwlError(
			"bad-flag",
			"--tasks and --rows go together: name both, or neither for the kept figures.",
		);
	}
	const made =
		tasks === undefined || rows === undefined
			? await readKept()
			: {
					version: 1 as const,
					...describeSurroundings(),
					command: COMMAND,
					figures: await readFigures(tasks, rows),
				};
	if (!write) {
		process.stdout.write(formatSweepDoc(made));
		return 0;
	}
	if (tasks !== undefined) await writeResults(KEPT, COMMAND, made.figures);
	await writeFile(join(docs, "policy-sweep.md"), formatSweepDoc(made));
	await writeFile(join(docs, "policy-sweep.svg"), drawSweep(made.figures));
	return 0;
}

async function readFigures(tasks: readonly string[], rows: readonly string[]): Promise<SweepFigures> {
	const kept = await Promise.all(tasks.map(readKeptRuns));
	const runs = kept.flatMap((folder) => [...folder.values()]);
	return { tasks: pickTasks(makeReport(runs, false)), sessions: await pickSessions(await mergeReport(rows)) };
}

/** The kept figures. @throws CwlError `no-results` */
export async function readKept(): Promise<ResultsFile<SweepFigures>> {
	const kept = await readResults<SweepFigures>(KEPT);
	if (kept) return kept;
	throw new CwlError("no-results", "no sweep was kept: name the runs with --tasks and --rows.");
}
