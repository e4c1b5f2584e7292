/** `npm run bench -- commits`: a chain of commits of a real repository, made again in one session under each policy. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createCommitWorker, type ScriptedModel } from "#loopback";
import { budgetTokens, CwlError, parseBudget } from "#pi";
import { loadModelPrices, type PriceList } from "#replay";
import { readCount } from "../arguments.ts";
import { catchInterrupt, createProgress, INTERRUPTED } from "../progress.ts";
import { type Condition, parseConditions } from "../single-session/conditions.ts";
import { withExploration } from "../single-session/exploration.ts";
import { type RunFigures, summariseRun } from "../single-session/figures.ts";
import { runStage } from "../single-session/run.ts";
import { startLocalAgent } from "../single-session/scripted-agents.ts";
import { stageOf, withCommitSummaries } from "./chain-stage.ts";
import { git } from "./git.ts";
import { formatChain } from "./page.ts";
import { type Chain, readChain } from "./read-chain.ts";

export const help = `npm run bench -- commits CLONE: a chain of commits of a real repository, made again in one session under each policy

A deterministic worker makes each commit of the chain again, from its subject line. It knows how each file should be afterwards;
what the file is now it knows only from what the request still holds. Nothing leaves this machine.

  CLONE                  a git repository on this machine, bare or not; it is only read
  --end HEAD             the commit with which the chain ends
  --commits 30           how many, along first parents; merges and commits of over 12 files are made by others
  --conditions isolated,none,compaction,paper,cwl,cwl-economy   as for single-session
  --budget 80k           one or more
  --json                 figures as JSON; otherwise a table
`;

const flags = {
	end: { type: "string", default: "HEAD" },
	commits: { type: "string", default: "30" },
	conditions: { type: "string", default: "isolated,none,compaction,paper,cwl,cwl-economy" },
	budget: { type: "string", default: "80k" },
	json: { type: "boolean", default: false },
} as const;

/** The list prices that apply to the traffic of the worker. */
const PRICED = ["anthropic/claude-sonnet-4-6", "openai/gpt-5.4"];

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

export interface ChainFigures extends RunFigures {
	/** The condition. */
	readonly name: string;
	/** Calls that read a file. The session that forgets nothing needs the fewest. */
	readonly reads: number;
}

/** Returns 0, or 130 if interrupted; both print the finished runs. @throws CwlError for wrong arguments */
export async function run(argv: readonly string[]): Promise<number> {
	const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
	const [clone] = positionals;
	if (clone === undefined)
		throw new CwlError("no-repository", "name a clone: the folder of a git repository.");
	// A bare repository, and a folder somewhere inside a work tree, are both fine.
	const repository = (await git(resolve(clone), "rev-parse", "--absolute-git-dir")).trim();
	const budgets = values.budget.split(",").map((text) => budgetTokens(parseBudget(text.trim()), undefined));
	const conditions = parseConditions(values.conditions, budgets);
	const chain = await readChain(repository, {
		end: values.end,
		commits: readCount("commits", values.commits),
	});
	const { signal, release } = catchInterrupt();
	const runs = await runAll(repository, chain, conditions, signal).finally(release);
	const report = describeChain(clone, chain, runs);
	process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatChain(report));
	return signal.aborted ? INTERRUPTED : 0;
}

async function runAll(
	repository: string,
	chain: Chain,
	conditions: readonly Condition[],
	signal: AbortSignal,
): Promise<ChainReport["runs"]> {
	const [anthropic, openai] = await loadModelPrices(PRICED);
	if (!anthropic || !openai) throw new CwlError("no-price", `no prices for ${PRICED.join(" and ")}.`);
	const { commits } = chain;
	const progress = createProgress(conditions.length * commits.length, "commits");
	const runs: ChainFigures[] = [];
	for (const [index, condition] of conditions.entries()) {
		const figures = await runChain(
			repository,
			chain,
			{ condition, signal, prices: { anthropic, openai } },
			(done) => progress(index * commits.length + done, condition.name),
		);
		if (signal.aborted) break;
		runs.push(figures);
	}
	return runs;
}

interface ChainRun {
	readonly condition: Condition;
	readonly signal: AbortSignal;
	readonly prices: { readonly anthropic: PriceList; readonly openai: PriceList };
}

/** One session, or one for each commit if the condition says so. */
async function runChain(
	repository: string,
	chain: Chain,
	{ condition, signal, prices }: ChainRun,
	onProgress: (done: number) => void,
): Promise<ChainFigures> {
	let reads = 0;
	const worker = withCommitSummaries(createCommitWorker(chain.commits));
	const counted: ScriptedModel = (request) => {
		const reply = worker(request);
		reads += reply.calls?.filter(({ name }) => name === "read").length ?? 0;
		return reply;
	};
	const record = await runStage(
		stageOf(repository, chain),
		{ condition, seed: 1, signal, onProgress: ({ done }) => onProgress(done) },
		({ directory, meters }) => {
			const model = withExploration(counted, meters.exploration);
			return startLocalAgent({ condition, directory, meters, model });
		},
	);
	return { name: condition.name, reads, ...summariseRun(record, prices) };
}

function describeChain(
	clone: string,
	{ commits, passedOver }: Chain,
	runs: ChainReport["runs"],
): ChainReport {
	const files = new Set(commits.flatMap((commit) => commit.files.map(({ path }) => path)));
	return {
		repository: resolve(clone).split("/").at(-1) ?? clone,
		hashes: [commits[0]?.hash ?? "", commits.at(-1)?.hash ?? ""],
		...{ commits: commits.length, files: files.size, passedOver, runs },
	};
}
