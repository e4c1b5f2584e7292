/**
 * `npm run bench -- live`: the protocol of bench/README.md with a real model through the real pi. All arms do the same tasks in
 * turns, each in a work tree and sessions of its own, so that a run that is stopped has as many trials of each.
 */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CwlError } from "#pi";
import { agentDirectory } from "#pi/settings";
import { count, defineBench, inNewFolder, optional, readCount, text, toggle } from "../bench.ts";
import { type Condition, PEER, parseConditions } from "../single-session/conditions.ts";
import { DIFFICULTIES } from "../single-session/run.ts";
import { describeSurroundings } from "../surroundings.ts";
import { announce } from "./announcement.ts";
import { formatLivePage, type LiveReport } from "./page.ts";
import { findModel, startRehearsal } from "./provider.ts";
import { runArms } from "./run-arms.ts";
import { OWN, readRun, readSource, writeRun } from "./run-file.ts";

export const bench = defineBench({
	flags: {
		model: optional("provider/id", "a model that pi has a key for"),
		"max-cost": text("15", "dollars at which the run stops; the same command with more of them goes on"),
		hours: count("3", "after which no trial begins"),
		yes: toggle("begin without asking"),
		rehearse: toggle("the scripted worker on this machine in place of a model: costs nothing"),
		source: text(
			OWN,
			`${OWN}: commits of this project, judged by their tests; generated tasks (${DIFFICULTIES.join(", ")});
or the folder of a clone, whose last commits are made again`,
		),
		tasks: count("12", "how many"),
		added: count("0", "of a rehearsal with generated tasks: as in single-session", 0),
		check: text(
			"",
			'for commits: the command that judges one, such as "npm test"; $TESTS has the paths of its tests',
		),
		arms: text(
			"cwl,cwl-without-marks,compaction@40k,none",
			"as the conditions of single-session; isolated is none with a session for each task; peer: --peer",
		),
		budget: text("80k", "of each arm that names none"),
		peer: optional("PATH", "another pi extension, unmodified, which the arm `peer` loads in place of ours"),
		seed: optional("1", "of tasks and turns; drawn and printed if left out"),
		to: text("live-run", "the folder of the run; the one that is there goes on"),
		minutes: count("30", "how long a trial may take"),
		silence: count("300", "seconds without a sign of the provider after which a trial is repeated"),
	},
	notes:
		"Do models mark? `--arms cwl --tasks 10 --max-cost 2` answers that alone. The commands of the model run on this machine, so use a container. Harbor runs the same arms on Terminal-Bench: bench/README.md.",
	async run({ values, signal }) {
		const { "max-cost": dollars, hours, yes, rehearse, to, minutes, silence, seed: given, ...asked } = values;
		const folder = resolve(to);
		const peer = asked.peer && resolve(asked.peer);
		const maxCost = rehearse ? Number.POSITIVE_INFINITY : readDollars(dollars);
		if (!rehearse && asked.model === "")
			throw new CwlError(
				"bad-flag",
				"name a model, such as --model anthropic/claude-sonnet-4-6, or --rehearse.",
			);
		const conditions = parseConditions(asked.arms, asked.budget).map((each) => asLiveArm(each, peer));
		const run = await readRun(folder, {
			...asked,
			peer,
			model: rehearse ? "rehearsal" : asked.model,
			seed: given === "" ? undefined : readCount("seed", given, 0),
		});
		const source = await readSource(run);
		const { seed, budget } = run;
		return await inNewFolder(async (own) => {
			const rehearsal = rehearse ? await startRehearsal(own, source.worker) : undefined;
			try {
				const model = await findModel(
					rehearsal?.name ?? run.model,
					rehearsal ? own : agentDirectory(process.env),
				);
				const limits = { trial: 60_000 * minutes, silence: 1_000 * silence };
				const plan = { folder, conditions, source, seed, model, peer, limits, maxCost, hours, signal };
				if (!rehearsal) await announce(plan, yes);
				await writeRun(folder, run);
				process.stderr.write(`${source.label}, seed ${seed}, in ${folder}\n`);
				const figures = await runArms(plan);
				const flags = process.argv.slice(3).join(" ");
				const about = { isRehearsal: rehearse, model: model.name, tasks: source.label, seed, budget, flags };
				const billed = rehearsal?.bill();
				const report: LiveReport = { version: 2, ...about, billed, ...describeSurroundings(), ...figures };
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
function asLiveArm(condition: Condition, peer: string): Condition {
	const { name, manager, policy, mode, hasRecall, marks } = condition;
	if (policy === PEER && peer === "") throw new CwlError("bad-flag", "the arm `peer` needs --peer PATH.");
	const isOtherSummary = manager === "pi" && policy !== "compaction" && policy !== PEER;
	if ((manager === "replay" && policy !== "none") || isOtherSummary || !hasRecall || marks)
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
