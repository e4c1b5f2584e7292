/**
 * `npm run bench -- live`: the protocol of bench/README.md with a real model through the real pi. All arms do the same tasks in
 * turns, each in a work tree and sessions of its own, so that a run that is stopped has as many trials of each.
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CwlError } from "#pi";
import { agentDirectory } from "#pi/settings";
import { count, defineBench, inNewFolder, optional, readCount, text, toggle } from "../bench.ts";
import { type Condition, parseConditions, readSettings } from "../single-session/conditions.ts";
import { describeSurroundings } from "../surroundings.ts";
import { formatLivePage, type LiveReport } from "./page.ts";
import { findModel, startRehearsal } from "./provider.ts";
import { runArms } from "./run-arms.ts";
import { readRun, readSource, writeRun } from "./run-file.ts";

export const bench = defineBench({
	flags: {
		model: optional("provider/id", "a model that pi has a key for"),
		"max-cost": optional("50", "dollars at which the run stops; the same command with more of them goes on"),
		rehearse: toggle("the scripted worker on this machine in place of a model: costs nothing"),
		"seconds-apart": count(
			"0",
			"of a rehearsal with one arm: its requests by the clock of the provider's cache",
			0,
		),
		source: text(
			"hard",
			`generated tasks (normal, hard, hard-noted, follow-ups; recall: ten facts, ten questions about them
at the end), or the folder of a clone, whose last commits are made again`,
		),
		tasks: count("89", "how many"),
		check: text(
			"",
			`for a clone: the command that judges a commit, such as "npm test", run with the commit's own tests`,
		),
		arms: text(
			"isolated,none,compaction,paper,cwl,cwl-without-marks",
			"as the conditions of single-session; isolated is none with a session for each task",
		),
		budget: text("80k", "of each arm that has one, compaction included"),
		seed: optional("1", "of tasks and turns; drawn and printed if left out"),
		to: text("live-run", "the folder of the run; the one that is there goes on"),
		minutes: count("30", "how long a trial may take"),
		silence: count("300", "seconds without a sign of the provider after which a trial is repeated"),
	},
	notes:
		"The commands of the model run on this machine, so use a container. Harbor runs the same arms on Terminal-Bench: bench/README.md.",
	async run({ values, signal }) {
		const { source: from, check, tasks, arms, budget, rehearse } = values;
		const folder = resolve(values.to);
		const maxCost = rehearse ? Number.POSITIVE_INFINITY : readDollars(values["max-cost"]);
		const limits = { trial: 60_000 * values.minutes, silence: 1_000 * values.silence };
		const conditions = parseConditions(arms, budget).map(asLiveArm);
		const run = await readRun(folder, {
			...{ model: rehearse ? "rehearsal" : values.model, source: from, check, tasks, arms, budget },
			seed: values.seed === "" ? undefined : readCount("seed", values.seed, 0),
		});
		const source = await readSource(run);
		const { seed } = run;
		return await inNewFolder(async (own) => {
			const apart = values["seconds-apart"];
			const rehearsal = rehearse ? await startRehearsal(own, source.worker, apart) : undefined;
			try {
				const { name = run.model } = rehearsal ?? {};
				const model = await findModel(name, rehearsal ? own : agentDirectory(process.env));
				await writeRun(folder, run);
				process.stderr.write(`${source.label}, seed ${seed}, in ${folder}\n`);
				const plan = { folder, conditions, source, seed, model, limits, maxCost, signal };
				const figures = await runArms(plan);
				const who = rehearse ? "--rehearse" : `--model ${name} --max-cost ${maxCost}`;
				const flags = `${who} --source ${from} --tasks ${tasks} --arms ${arms} --budget ${budget} --seed ${seed}`;
				const about = { isRehearsal: rehearse, model: name, tasks: source.label, seed, budget, flags };
				const report: LiveReport = { version: 1, ...about, ...describeSurroundings(), ...figures };
				const page = formatLivePage(report);
				await writeFile(join(folder, "results.json"), `${JSON.stringify(report, undefined, "\t")}\n`);
				await writeFile(join(folder, "results.md"), `${page.join("\n")}\n`);
				return { figures: report, lines: () => page };
			} finally {
				await rehearsal?.close();
			}
		});
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
function readDollars(text: string): number {
	const dollars = Number(text);
	if (dollars > 0) return dollars;
	throw new CwlError(
		"bad-flag",
		"a model costs money: say at how many dollars to stop, such as --max-cost 50, or --rehearse without a model.",
	);
}
