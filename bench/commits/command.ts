/**
 * `npm run bench -- commits`: a deterministic worker makes each commit of a chain again, from its subject line. It knows how
 * each file should be afterwards; what the file is now it knows only from what the request still holds.
 */
import { resolve } from "node:path";
import type { ScriptedModel } from "#loopback";
import { CwlError } from "#pi";
import { markdownTable } from "#replay/report";
import { createProgress, defineBench, readBudgets, readCount } from "../bench.ts";
import { parseConditions } from "../single-session/conditions.ts";
import { loadPrices, PRICED, type RunFigures, summariseRun } from "../single-session/report.ts";
import { runCondition } from "../single-session/run.ts";
import { stageOf } from "./chain-stage.ts";
import { readChain } from "./read-chain.ts";

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
	positionals: "CLONE",
	flags: {
		end: { type: "string", default: "HEAD", about: "the commit with which the chain ends" },
		commits: {
			type: "string",
			default: "30",
			about: "how many, along first parents; merges and commits of over 12 files are made by others",
		},
		conditions: {
			type: "string",
			default: "isolated,none,compaction,paper,cwl,cwl-economy",
			about: "as for single-session",
		},
		budget: { type: "string", default: "80k", about: "one or more" },
		as: {
			type: "string",
			default: PRICED[0],
			about: "the model whose prices the same requests are given; what is evicted stays as it is",
		},
	},
	notes:
		"CLONE is a git repository on this machine, bare or not; it is only read. Nothing leaves this machine.",
	async run({ values, positionals: [clone], signal }) {
		if (clone === undefined)
			throw new CwlError("no-repository", "name a clone: the folder of a git repository.");
		const conditions = parseConditions(values.conditions, readBudgets(values.budget));
		const chain = await readChain(clone, {
			end: values.end,
			commits: readCount("commits", values.commits),
		});
		const prices = await loadPrices(values.as);
		const stage = stageOf(chain);
		const progress = createProgress(conditions.length * chain.commits.length, "commits");
		const runs: ChainFigures[] = [];
		for (const [index, condition] of conditions.entries()) {
			let reads = 0;
			const worker: ScriptedModel = (request) => {
				const reply = stage.worker(request);
				reads += reply.calls?.filter(({ name }) => name === "read").length ?? 0;
				return reply;
			};
			const record = await runCondition({
				...{ ...stage, worker, condition, seed: 1, signal },
				onProgress: ({ results }) => progress(index * chain.commits.length + results.length, condition.name),
			});
			if (signal.aborted) break;
			runs.push({ name: condition.name, reads, ...summariseRun(record, prices) });
		}
		const { commits, passedOver } = chain;
		const report: ChainReport = {
			repository: resolve(clone).split("/").at(-1) ?? clone,
			hashes: [commits[0]?.hash ?? "", commits.at(-1)?.hash ?? ""],
			commits: commits.length,
			files: new Set(commits.flatMap(({ files }) => files.map(({ path }) => path))).size,
			...{ passedOver, runs },
		};
		return { figures: report, text: () => formatChain(report) };
	},
});

/** The figures of a chain as Markdown. Ends with a newline. */
export function formatChain({
	repository,
	hashes: [first, last],
	commits,
	files,
	passedOver,
	runs,
}: ChainReport): string {
	const head = [
		...["condition", "commits made", "cost", "cost compared with compaction", "requests", "tokens"],
		...["largest request", "files read", "modeled minutes"],
	];
	const compaction = runs.find(({ name }) => name.startsWith("compaction"))?.cost.anthropic;
	const rows = runs.map(({ cost: { anthropic: cost }, ...run }) => [
		run.name,
		`${run.solved} of ${run.tasks}`,
		`$${cost.toFixed(2)}`,
		compaction ? `${((100 * cost) / compaction).toFixed(0)} %` : "-",
		String(run.requests),
		`${(run.tokensProcessed / 1e6).toFixed(1)}M`,
		`${(run.peakContext / 1_000).toFixed(0)}k`,
		String(run.reads),
		(run.modeledSeconds / 60).toFixed(0),
	]);
	return [
		`${repository}: ${commits} commits from ${first.slice(0, 10)} to ${last.slice(0, 10)}, ${files} files; ${passedOver} commits between them were made by others.`,
		"",
		...markdownTable([head, ...rows]),
		"",
	].join("\n");
}
