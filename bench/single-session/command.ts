/**
 * `npm run bench -- single-session`: the paper's protocol, many tasks in one session. A scripted worker does generated tasks
 * in a generated repository, without a key or network. It knows only what each request holds, so that what a policy takes
 * away costs it requests, and past its patience the task.
 */
import { averageArms, formatArms } from "../arms.ts";
import { choice, count, defineBench, text } from "../bench.ts";
import { describeDay, describeSurroundings } from "../surroundings.ts";
import { parseConditions } from "./conditions.ts";
import { DIFFICULTIES, generatedStage, PRICED, runConditions } from "./run.ts";

export const bench = defineBench({
	flags: {
		tasks: count("89", "how many"),
		seeds: count("1", "how many seeds"),
		"seed-from": count("1", "the first seed; the others follow it"),
		conditions: text(
			"isolated,cwl",
			`isolated, none, compaction, a policy of cwl or of cwl replay; NAME@40k or NAME@auto has a budget of its own;
bench/README.md explains them, and endings such as -without-recall and -flipped-50`,
		),
		budget: text("80k", "one or more, such as 80k,50k,auto"),
		added: count("0", "tokens that each answer has more on average, in the lengths of recorded sessions", 0),
		difficulty: choice(DIFFICULTIES, "normal", `${DIFFICULTIES.join(", ")}: bench/README.md explains them`),
	},
	notes: "The real pi and real models do the same tasks in npm run bench -- live.",
	async run({ values: { "seed-from": first, ...values }, signal }) {
		const { tasks, difficulty, added } = values;
		const seeds = Array.from({ length: values.seeds }, (_, index) => first + index);
		const conditions = parseConditions(values.conditions, values.budget);
		const stages = seeds.map((seed) => ({ prefix: "", ...generatedStage(difficulty, seed, tasks, added) }));
		const arms = await runConditions(stages, conditions, signal);
		const interrupted = signal.aborted;
		const about = { version: 4, interrupted, tasks, difficulty, added, seeds, ...describeSurroundings() };
		return {
			figures: { ...about, prices: PRICED, conditions: averageArms(arms), arms },
			lines: () => [
				`${tasks} ${difficulty} tasks in one session, answers ${added} tokens longer than needed, commit ${about.commit}, seeds ${seeds.join(", ")}, prices of ${PRICED}`,
				describeDay(about.machine),
				...(interrupted ? ["Interrupted: only what was finished is here."] : []),
				"",
				...formatArms(arms),
			],
		};
	},
});
