/**
 * `npm run bench -- single-session`: the paper's protocol, many tasks in one session. A scripted worker does generated tasks
 * in a generated repository, without a key or network. It knows only what each request holds, so that what a policy takes
 * away costs it requests, and past its patience the task.
 */
import { sum } from "#replay/recording";
import { choice, count, createProgress, defineBench, text, toggle } from "../bench.ts";
import { millions } from "../figures.ts";
import { type Condition, parseConditions } from "./conditions.ts";
import { loadPrices } from "./prices.ts";
import { formatPage, makeReport, type RunFigures, summariseRun } from "./report.ts";
import { DIFFICULTIES, generatedStage, runCondition } from "./run.ts";

export const bench = defineBench({
	flags: {
		tasks: count("89", "how many"),
		seeds: count("1", "how many seeds"),
		"seed-from": count("1", "the first seed; the others follow it"),
		conditions: text(
			"isolated,cwl",
			`isolated (a session for each task), compaction (pi's own), a policy of cwl or of cwl replay (recency, window,
...); NAME-without-recall, NAME-without-marks; paper-flipped-50: half of the marks damaged (flipped,
dependencies-dropped, dependencies-invented, never-ended, name-reused, unmarked); compaction-full, -lossy,
-inventing: with other summaries; NAME@40k, NAME@auto: under a budget of its own`,
		),
		budget: text("80k", "one or more, such as 80k,50k,auto"),
		added: count("0", "tokens that each answer has more on average, in the lengths of recorded sessions", 0),
		"in-process": toggle("as it always runs; commands of kept figures name it"),
		difficulty: choice(
			DIFFICULTIES,
			"normal",
			`normal (the repository answers everything), hard (some facts were only said or shown, long ago),
hard-noted (the worker writes the ids that it sees into its own words), or follow-ups (normal, and a
quarter goes back to what the task before has changed)`,
		),
	},
	notes: "The real pi and real models do the same tasks in npm run bench -- live.",
	async run({ values: { "seed-from": first, ...values }, signal }) {
		const { tasks, difficulty } = values;
		const seeds = Array.from({ length: values.seeds }, (_, index) => first + index);
		const conditions = parseConditions(values.conditions, values.budget);
		const prices = await loadPrices();
		// Seed by seed, so that an interrupted comparison has figures of every condition.
		const planned = seeds.flatMap((seed) => conditions.map((condition) => ({ condition, seed })));
		const progress = createProgress(planned.length * tasks, "tasks");
		const runs = new Map(conditions.map((condition): [Condition, RunFigures[]] => [condition, []]));
		for (const [index, { condition, seed }] of planned.entries()) {
			if (signal.aborted) break;
			const record = await runCondition({
				...{ ...generatedStage(difficulty, seed, tasks, values.added), condition, seed, signal },
				onProgress({ results, requests }) {
					const solved = results.filter(({ isSolved }) => isSolved).length;
					const tokens = millions(sum(requests.map(({ input }) => input)));
					const figures = `${solved} solved, ${requests.length} requests, ${tokens} tokens`;
					progress(index * tasks + results.length, `${condition.name}, seed ${seed}: ${figures}`);
				},
			});
			runs.get(condition)?.push(summariseRun(record, prices));
		}
		const report = await makeReport(runs, { difficulty, added: values.added, interrupted: signal.aborted });
		return { figures: report, lines: () => formatPage(report) };
	},
});
