/**
 * `npm run bench -- single-session`: the paper's protocol, many tasks in one session. A scripted worker does generated tasks
 * in a generated repository, without a key or network. It knows only what each request holds, so that what a policy takes
 * away costs it requests, and past its patience the task.
 */
import { sum } from "#replay/recording";
import { createProgress, defineBench, readBudgets, readChoice, readCount } from "../bench.ts";
import { describeSurroundings } from "../surroundings.ts";
import { parseConditions } from "./conditions.ts";
import { type Asked, askQuestions, formatAnswers } from "./questions.ts";
import { formatPage, loadPrices, makeReport, type Run, summariseRun } from "./report.ts";
import { DIFFICULTIES, generatedStage, type RunOptions, runCondition } from "./run.ts";

export const bench = defineBench({
	flags: {
		tasks: { type: "string", default: "89", about: "how many" },
		seeds: { type: "string", default: "1", about: "how many seeds" },
		"seed-from": { type: "string", default: "1", about: "the first seed; the others follow it" },
		conditions: {
			type: "string",
			default: "isolated,cwl",
			about: `isolated (a session for each task), compaction (pi's own), a policy of cwl or of cwl replay (recency, window,
masking, ...); NAME-without-recall, NAME-without-marks; paper-flipped-50: half of the marks damaged (flipped,
dependencies-dropped, dependencies-invented, never-ended, name-reused, unmarked)`,
		},
		budget: { type: "string", default: "80k", about: "one or more, such as 80k,50k,20k" },
		"in-process": { type: "boolean", about: "as it always runs; commands of kept figures name it" },
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
	notes: "The real pi and real models do the same tasks in npm run bench -- live.",
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
		const difficulty = readChoice("difficulty", values.difficulty, DIFFICULTIES);
		const conditions = parseConditions(values.conditions, readBudgets(values.budget));
		const prices = await loadPrices();
		// Seed by seed, so that an interrupted comparison has figures of every condition.
		const planned = seeds.flatMap((seed) => conditions.map((condition) => ({ condition, seed })));
		const progress = createProgress(planned.length * tasks, "tasks");
		const runs: Run[] = [];
		for (const [index, { condition, seed }] of planned.entries()) {
			if (signal.aborted) break;
			const onProgress: RunOptions["onProgress"] = ({ results, requests }) => {
				const solved = results.filter(({ isSolved }) => isSolved).length;
				const tokens = sum(requests.map(({ input }) => input));
				const figures = `${solved} solved, ${requests.length} requests, ${(tokens / 1e6).toFixed(1)}M tokens`;
				progress(index * tasks + results.length, `${condition.name}, seed ${seed}: ${figures}`);
			};
			const stage = generatedStage(difficulty, seed, tasks);
			const record = await runCondition({ ...stage, condition, seed, signal, onProgress });
			runs.push({ condition, figures: summariseRun(record, prices) });
		}
		const report = await makeReport(runs, difficulty, signal.aborted);
		return { figures: report, text: () => formatPage(report) };
	},
});
