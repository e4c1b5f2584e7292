/**
 * `npm run bench -- live`: the protocol of bench/README.md with a real model through the real pi. All arms do the same tasks in
 * turns, each in a work tree and sessions of its own, so that a run that is stopped has as many trials of each.
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CwlError } from "#pi";
import { agentDirectory } from "#pi/settings";
import { defineBench, readBudgets, readCount } from "../bench.ts";
import { type Condition, parseConditions, readSettings } from "../single-session/conditions.ts";
import { describeSurroundings } from "../surroundings.ts";
import { formatLivePage, type LiveReport } from "./page.ts";
import { findModel } from "./provider.ts";
import { startRehearsal } from "./rehearsal.ts";
import { runArms } from "./run-arms.ts";
import { readRun, writeRun } from "./run-file.ts";
import { readSource } from "./source.ts";

export const bench = defineBench({
	flags: {
		model: { type: "string", example: "provider/id", about: "a model that pi has a key for" },
		"max-cost": {
			type: "string",
			example: "50",
			about: "dollars at which the run stops; the same command with more of them goes on",
		},
		rehearse: {
			type: "boolean",
			default: false,
			about: "the scripted worker on this machine in place of a model: costs nothing",
		},
		"seconds-apart": {
			type: "string",
			default: "0",
			about: "of a rehearsal with one arm: its requests by the clock of the provider's cache",
		},
		source: {
			type: "string",
			default: "hard",
			about: `generated tasks (normal, hard, hard-noted, follow-ups; recall: ten facts, ten questions about them
at the end), or the folder of a clone, whose last commits are made again`,
		},
		tasks: { type: "string", default: "89", about: "how many" },
		check: {
			type: "string",
			default: "",
			about: `for a clone: the command that judges a commit, such as "npm test", run with the commit's own tests`,
		},
		arms: {
			type: "string",
			default: "isolated,none,compaction,paper,cwl,cwl-without-marks",
			about: "as the conditions of single-session; isolated is none with a session for each task",
		},
		budget: { type: "string", default: "80k", about: "of each arm that has one, compaction included" },
		seed: { type: "string", example: "1", about: "of tasks and turns; drawn and printed if left out" },
		to: {
			type: "string",
			default: "live-run",
			about: "the folder of the run; the one that is there goes on",
		},
		minutes: { type: "string", default: "30", about: "how long a trial may take" },
		silence: {
			type: "string",
			default: "300",
			about: "seconds without a sign of the provider after which a trial is repeated",
		},
	},
	notes:
		"The commands of the model run on this machine, so use a container. Harbor runs the same arms on Terminal-Bench: bench/README.md.",
	async run({ values, signal }) {
		const { source: from, check, arms, budget, rehearse } = values;
		const folder = resolve(values.to);
		const maxCost = rehearse ? Number.POSITIVE_INFINITY : readDollars(values["max-cost"]);
		const limits = {
			trial: 60_000 * readCount("minutes", values.minutes),
			silence: 1_000 * readCount("silence", values.silence),
		};
		const conditions = parseConditions(arms, readBudgets(budget)).map(asLiveArm);
		const run = await readRun(folder, {
			...{ model: rehearse ? "rehearsal" : (values.model ?? ""), source: from, check, arms, budget },
			tasks: readCount("tasks", values.tasks),
			seed: values.seed === undefined ? undefined : readCount("seed", values.seed, 0),
		});
		const source = await readSource(run);
		const apart = readCount("seconds-apart", values["seconds-apart"], 0);
		const rehearsal = rehearse ? await startRehearsal(source.worker, apart) : undefined;
		try {
			const { userDirectory = agentDirectory(process.env), name = run.model } = rehearsal ?? {};
			const model = await findModel(name, userDirectory);
			await writeRun(folder, run);
			process.stderr.write(`${source.label}, seed ${run.seed}, in ${folder}\n`);
			const { seed, tasks } = run;
			const who = rehearse ? "--rehearse" : `--model ${name} --max-cost ${maxCost}`;
			const flags = `${who} --source ${from} --tasks ${tasks} --arms ${arms} --budget ${budget} --seed ${seed}`;
			const figures = await runArms({
				folder,
				conditions,
				source,
				seed,
				model,
				limits,
				maxCost,
				signal,
			});
			const about = { isRehearsal: rehearse, model: name, tasks: source.label, seed, budget, flags };
			const report: LiveReport = { version: 1, ...about, ...describeSurroundings(), ...figures };
			const page = formatLivePage(report);
			await writeFile(join(folder, "results.json"), `${JSON.stringify(report, undefined, "\t")}\n`);
			await writeFile(join(folder, "results.md"), page);
			return { figures: report, text: () => page };
		} finally {
			await rehearsal?.close();
		}
	},
});

/**
 * A session for each task needs no manager of its context.
 * @throws CwlError `bad-flag` for a policy of the replay, bad marks, or the extension without recall: pi has no setting for them
 */
function asLiveArm(condition: Condition): Condition {
	const { name, manager, policy, mode } = condition;
	const { hasRecall, marks } = readSettings(policy);
	if ((manager === "replay" && policy !== "none") || !hasRecall || marks)
		throw new CwlError("bad-flag", `${name} does not run through pi, only in single-session.`);
	return mode === "isolated" ? { ...condition, policy: "none", manager: "replay" } : condition;
}

/** @throws CwlError `bad-flag` */
function readDollars(text: string | undefined): number {
	const dollars = Number(text);
	if (dollars > 0) return dollars;
	throw new CwlError(
		"bad-flag",
		"a model costs money: say at how many dollars to stop, such as --max-cost 50, or --rehearse without a model.",
	);
}
