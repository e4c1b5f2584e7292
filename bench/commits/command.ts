/**
 * `npm run bench -- commits`: a deterministic worker makes each commit of a chain again, from its subject line. It knows how
 * each file should be afterwards; what the file is now it knows only from what the request still holds.
 */
import { basename, resolve } from "node:path";
import { CwlError } from "#pi";
import { markdownTable } from "#replay/report";
import type { ScriptedModel } from "#testing";
import { count, createProgress, defineBench, text } from "../bench.ts";
import { dollars, percent, thousands } from "../figures.ts";
import { type Condition, parseConditions } from "../single-session/conditions.ts";
import { loadPrices, PRICED, type Prices } from "../single-session/prices.ts";
import { type RunFigures, summariseRun } from "../single-session/report.ts";
import { runCondition } from "../single-session/run.ts";
import { stageOf } from "./chain-stage.ts";
import { type Chain, readChain } from "./read-chain.ts";

export interface ChainReport {
	/** The last folder of the path. */
	readonly repository: string;
	/** The first and the last commit. */
	readonly hashes: readonly [string, string];
	readonly commits: number;
	readonly files: number;
	readonly passedOver: number;
	readonly runs: readonly ChainFigures[];
}

interface ChainFigures extends RunFigures {
	/** The condition. */
	readonly name: string;
	/** Calls that read a file. The session that forgets nothing needs the fewest. */
	readonly reads: number;
}

export const bench = defineBench({
	positionals: "CLONE[#COMMIT]...",
	flags: {
		commits: count(
			"30",
			"how many, along first parents; merges and commits of over 12 files are made by others",
		),
		conditions: text("isolated,none,compaction,paper,cwl,cwl-economy", "as for single-session"),
		budget: text("80k", "one or more"),
		as: text(PRICED[0], "the model whose prices the same requests are given; what is evicted stays as it is"),
	},
	notes:
		"CLONE is a git repository on this machine, bare or not; it is only read. The chain ends with COMMIT, or with its HEAD. Nothing leaves this machine.",
	async run({ values, positionals, signal }) {
		if (positionals.length === 0)
			throw new CwlError("no-repository", "name a clone: the folder of a git repository.");
		const conditions = parseConditions(values.conditions, values.budget);
		const prices = await loadPrices(values.as);
		const chains: ChainReport[] = [];
		const progress = createProgress(positionals.length * conditions.length * values.commits, "commits");
		for (const [index, clone] of positionals.entries()) {
			const [folder = "", end = "HEAD"] = clone.split("#");
			const chain = await readChain(folder, end, values.commits);
			const done = index * conditions.length * values.commits;
			const note = (made: number, name: string) => progress(done + made, name);
			chains.push(await runChain(resolve(folder), chain, conditions, prices, note, signal));
		}
		return { figures: { version: 2, chains }, lines: () => markdownTable(tabulateChains(chains)) };
	},
});

/** One clone under all conditions. */
async function runChain(
	folder: string,
	chain: Chain,
	conditions: readonly Condition[],
	prices: Prices,
	onProgress: (made: number, condition: string) => void,
	signal: AbortSignal,
): Promise<ChainReport> {
	const { commits, passedOver } = chain;
	const stage = stageOf(chain);
	const runs: ChainFigures[] = [];
	for (const [index, condition] of conditions.entries()) {
		let reads = 0;
		const worker: ScriptedModel = (request) => {
			const reply = stage.worker(request);
			reads += reply.calls?.filter(({ name }) => name === "read").length ?? 0;
			return reply;
		};
		const record = await runCondition({
			...stage,
			worker,
			condition,
			seed: 1,
			signal,
			onProgress: ({ results }) => onProgress(index * commits.length + results.length, condition.name),
		});
		if (signal.aborted) break;
		runs.push({ name: condition.name, reads, ...summariseRun(record, prices) });
	}
	return {
		repository: basename(folder),
		hashes: [commits[0]?.hash ?? "", commits.at(-1)?.hash ?? ""],
		commits: commits.length,
		files: new Set(commits.flatMap(({ files }) => files.map(({ path }) => path))).size,
		passedOver,
		runs,
	};
}

/** Head and rows. Costs are compared with those of the compaction under the first budget. */
function tabulateChains(chains: readonly ChainReport[]): readonly (readonly string[])[] {
	const rows = chains.flatMap(({ repository, runs }) => {
		const compaction = runs.find(({ name }) => name.startsWith("compaction"))?.cost.anthropic;
		return runs.map(({ name, solved, tasks, cost, peakContext, reads }) => [
			...[repository, name, `${solved} of ${tasks}`, dollars(cost.anthropic)],
			compaction ? percent(cost.anthropic / compaction) : "-",
			...[thousands(peakContext), String(reads)],
		]);
	});
	const head = ["repository", "condition", "commits", "cost", "compared with compaction"];
	return [[...head, "largest request", "files read"], ...rows];
}
