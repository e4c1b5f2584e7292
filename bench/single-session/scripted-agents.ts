/** The agents whose model is the worker of packages/loopback: they cost nothing and send nothing off this machine. */
import { join } from "node:path";
import { type RequestRecord, type ScriptedModel, startLoopback, writeAgentDirectory } from "#loopback";
import { CwlError, loadTokenCounter } from "#pi";
import { createReplayPrompt, parsePolicies } from "#replay";
import type { Agent, RequestFigure } from "./agent.ts";
import { readBadMarks, withBadMarks } from "./bad-marks.ts";
import { type Condition, hasMarks, repairOf } from "./conditions.ts";
import { type Difficulty, workerFor } from "./difficulty.ts";
import { withExploration } from "./exploration.ts";
import { createLocalAgent } from "./local-agent.ts";
import { createManagedPolicy, type LocalPolicy } from "./managed-policy.ts";
import { startPiAgent } from "./pi-agent.ts";
import type { Meters, StartAgent } from "./run.ts";
import { isSummaryRequest, withSummaries } from "./summariser.ts";

/** Tokens; far above every budget, so that only policies without a budget come near it. */
const CONTEXT_WINDOW = 1_000_000;
/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const createModel = (meters: Meters, difficulty: Difficulty, condition: Condition): ScriptedModel => {
	const worker = workerFor(difficulty, repairOf(condition));
	const { marks } = readBadMarks(condition.policy);
	return withSummaries(withExploration(withBadMarks(worker, marks), meters.exploration), condition.policy);
};

/** The real pi over HTTP. */
export const startScriptedPi: StartAgent = async ({ condition, difficulty, directory, scratch, meters }) => {
	const model = createModel(meters, difficulty, condition);
	let isSummary = false;
	const server = await startLoopback({
		model: (request) => {
			isSummary = isSummaryRequest(request);
			return model(request);
		},
		contextWindow: CONTEXT_WINDOW,
		onRequest: (record) => meters.requests.push(figureOf(record, isSummary)),
	});
	const agentDirectory = join(scratch, "agent");
	await writeAgentDirectory(agentDirectory, {
		url: server.url,
		api: "anthropic",
		contextWindow: condition.manager === "pi" ? condition.budget + RESERVE : CONTEXT_WINDOW,
		settings: { compaction: compactionSettings(condition) },
	});
	const agent = startPiAgent({
		...{ condition, directory },
		args: [],
		environment: { ...process.env, PI_CODING_AGENT_DIR: agentDirectory },
	});
	return {
		...agent,
		async close() {
			await agent.close();
			await server.close();
		},
	};
};

/** pi's agent in this process: no HTTP and no pi program. */
export const startScriptedLoop: StartAgent = ({ difficulty, ...place }) =>
	startLocalAgent({ ...place, model: createModel(place.meters, difficulty, place.condition) });

/** The same with any scripted model. */
export async function startLocalAgent({ condition, directory, meters, model }: LocalStart): Promise<Agent> {
	const count = await loadTokenCounter();
	return createLocalAgent({
		...{ directory, count, model },
		policy: createPolicy(condition),
		hasDelimiter: hasMarks(condition),
		budget: condition.budget,
		fixed: createReplayPrompt(count).fixed,
		onRequest: (figure) => meters.requests.push(figure),
	});
}

type LocalStart = Pick<Parameters<StartAgent>[0], "condition" | "directory" | "meters"> & {
	readonly model: ScriptedModel;
};

/** @throws CwlError `unknown-policy` */
function createPolicy(condition: Condition): LocalPolicy {
	const { manager, policy: name } = condition;
	if (manager === "cwl") return createManagedPolicy(condition);
	const [policy] = parsePolicies(manager === "pi" ? "compaction" : name);
	if (policy) return policy;
	throw new CwlError("unknown-policy", `There is no policy ${JSON.stringify(name)}.`);
}

const keepRecent = (budget: number): number => Math.min(KEEP_RECENT, KEEP_SHARE * budget);

/** pi compacts at the window less the reserve; the window is set so that this point is the budget. */
function compactionSettings({ manager, budget }: Condition) {
	return { enabled: manager === "pi", reserveTokens: RESERVE, keepRecentTokens: keepRecent(budget) };
}

/** The figures of a request that the server recorded. */
export function figureOf(record: RequestRecord, isSummary: boolean): RequestFigure {
	return {
		tokens: record.promptTokens,
		cachedTokens: record.cachedTokens,
		prefixTokens: record.prefixTokens,
		outputTokens: record.outputTokens,
		isRefused: record.refused !== undefined,
		isSummary: isSummary && record.refused === undefined,
	};
}
