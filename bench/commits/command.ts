/**
 * `npm run bench -- commits`: a deterministic worker makes each commit of a chain again, from its subject line. It knows how
 * each file should be afterwards; what the file is now it knows only from what the request still holds.
 */
import { basename, resolve } from "node:path";
import { CwlError } from "#pi";
import { averageArms, formatArms } from "../arms.ts";
import { count, defineBench, text } from "../bench.ts";
import { parseConditions } from "../single-session/conditions.ts";
import { runConditions } from "../single-session/run.ts";
import { stageOf } from "./chain-stage.ts";
import { readChain } from "./read-chain.ts";

export const bench = defineBench({
	positionals: "CLONE[#COMMIT]...",
	flags: {
		commits: count(
			"30",
			"how many, along first parents; merges and commits of over 12 files are made by others",
		),
		conditions: text("isolated,none,compaction,paper,cwl,cwl-economy", "as for single-session"),
		budget: text("80k", "one or more"),
	},
	notes:
		"CLONE is a git repository on this machine, bare or not; it is only read. The chain ends with COMMIT, or with its HEAD. Nothing leaves this machine.",
	async run({ values, positionals, signal }) {
		if (positionals.length === 0)
			throw new CwlError("no-repository", "name a clone: the folder of a git repository.");
		const conditions = parseConditions(values.conditions, values.budget);
		const stages = await Promise.all(
			positionals.map(async (clone) => {
				const [folder = "", end = "HEAD"] = clone.split("#");
				const chain = await readChain(folder, end, values.commits);
				return { prefix: `${basename(resolve(folder))} `, ...stageOf(chain) };
			}),
		);
		const arms = await runConditions(stages, conditions, signal);
		return {
			figures: { version: 3, commits: values.commits, conditions: averageArms(arms), arms },
			lines: () => formatArms(arms),
		};
	},
});
