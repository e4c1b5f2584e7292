/**
 * A fingerprint of everything that decides a printed figure. Two recorded worker sessions are replayed under every policy, dial, kind of
 * budget, price list and summary that a command of the tables names, the worker does some tasks itself, and the sample session is
 * judged. The fingerprint changes when any request or figure of these does.
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { type CountTokens, sum } from "#basics";
import { type HostMessage, loadTokenCounter } from "#pi/codec";
import { loadModel } from "#replay/metrics";
import { createSizes } from "#replay/recording";
import { createReplayPrompt } from "#replay/run";
import { PROJECT } from "../pi-host.ts";
import { type Condition, parseConditions } from "../single-session/conditions.ts";
import { findPolicy } from "../single-session/local-agent.ts";
import { generatedStage, runCondition } from "../single-session/run.ts";
import { summarizeTasks } from "../single-session/summaries.ts";
import { keptFile, readKept } from "./kept.ts";
import { pricesOf, runs } from "./runs.ts";

const TASKS = 10;
/** Small enough for several passes; also the largest size of the automatic budget. */
const BUDGET = 12_000;
const ADDED = 150;

/** Twelve hex digits. Takes some seconds. */
export async function fingerprintEngine(): Promise<string> {
	const marked = await runWorker("cwl", 1);
	const unmarked = await runWorker("cwl-unmarked-100", 2);
	const histories = [marked.history, unmarked.history];
	const count = await loadTokenCounter();
	const replayed = [];
	for (const [name, arm] of await listArms()) {
		for (const history of histories) replayed.push([name, await replaySizes(arm, history, count)]);
	}
	const worked = [marked, unmarked].map(({ requests }) => requests);
	return createHash("sha256")
		.update(JSON.stringify([worked, replayed, await judgeSample()]))
		.digest("hex")
		.slice(0, 12);
}

interface Arm {
	readonly condition: Condition;
	/** The model whose prices the policy knows. */
	readonly model: string;
}

/** Everything that decides in the commands of the tables, each once, by name. */
async function listArms(): Promise<ReadonlyMap<string, Arm>> {
	const arms = new Map<string, Arm>();
	const kept = await readKept();
	for (const name of runs) {
		const { command } = keptFile(kept, name);
		const list = / --(?:conditions|policy) (\S+)/.exec(command)?.[1] ?? "";
		const budget = / --budget (\S+)/.exec(command)?.[1] ?? "auto";
		const model = pricesOf(command);
		for (const condition of parseConditions(list, budget)) {
			const { policy, lowWater, isAuto } = condition;
			const key = [policy, lowWater, isAuto, isFullCompaction(condition), model].join(" ");
			arms.set(key, { condition, model });
		}
	}
	return arms;
}

/** From this budget on, compaction keeps what pi keeps; below, less. */
const FULL_BUDGET = 80_000;

const isFullCompaction = ({ manager, budget }: Condition) => manager === "pi" && budget >= FULL_BUDGET;

/** Tokens of each request of a session under an arm. */
async function replaySizes({ condition, model }: Arm, history: readonly HostMessage[], count: CountTokens) {
	const { prices, checksThinking } = await loadModel(model);
	const sizes = createSizes(count);
	const { fixed } = createReplayPrompt(count);
	const isFull = isFullCompaction(condition);
	const project = findPolicy(condition).open({
		count,
		sizes,
		budget: isFull ? FULL_BUDGET / 2 : BUDGET,
		isAuto: condition.isAuto,
		modelPrices: prices,
		checksThinking,
		fixed,
		summaries: [],
		summarize: (messages) => summarizeTasks([JSON.stringify(messages)], condition.policy),
	});
	return history.flatMap(({ role }, index) => {
		if (role !== "assistant") return [];
		const { messages, extraCalls } = project(history.slice(0, index));
		return [sum(messages.flatMap((message) => sizes(message))), ...(extraCalls ?? [])];
	});
}

/** A session of the worker under a small budget. */
async function runWorker(policy: string, seed: number) {
	const [condition] = parseConditions(policy, String(BUDGET));
	if (!condition) throw new RangeError("one policy and one budget make one condition");
	const { signal } = new AbortController();
	return await runCondition(generatedStage("hard", seed, TASKS, ADDED), condition, signal);
}

async function judgeSample(): Promise<unknown> {
	const args = ["replay", "docs/sample.jsonl", "--policy", "none,compaction,paper,cwl", "--budget", "20k"];
	const { stdout } = await promisify(execFile)(
		process.execPath,
		["packages/cli/bin.mjs", ...args, "--json"],
		{ cwd: PROJECT },
	);
	const report: { readonly policies: readonly unknown[] } = JSON.parse(stdout);
	return report.policies;
}
