/** The agents whose model is the worker of packages/loopback: they cost nothing and send nothing off this machine. */
import { join } from "node:path";
import { createReplayPrompt, parsePolicies } from "#lab";
import {
	createWorker,
	type RequestRecord,
	type ScriptedModel,
	STYLES,
	startLoopback,
	writeAgentDirectory,
} from "#loopback";
import { CwlError, loadTokenCounter } from "#pi";
import type { RequestFigure } from "./agent.ts";
import type { Condition } from "./conditions.ts";
import { withExploration } from "./exploration.ts";
import { createLocalAgent } from "./local-agent.ts";
import { startPiAgent } from "./pi-agent.ts";
import type { Meters, StartAgent } from "./run.ts";
import { isSummaryRequest, withSummaries } from "./summariser.ts";

/**
 * Requests per task after which the worker gives up: a little more than the longest task needs with the whole
 * history.
 */
const PATIENCE = 30;
/** Tokens; far above every budget, so that only policies without a budget come near it. */
const CONTEXT_WINDOW = 1_000_000;
/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const createModel = (meters: Meters): ScriptedModel =>
	withSummaries(
		withExploration(createWorker({ style: STYLES.thorough, patience: PATIENCE }), meters.exploration),
	);

/** The real pi over HTTP. */
export const startScriptedPi: StartAgent = async ({ condition, directory, scratch, meters }) => {
	const model = createModel(meters);
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
export const startScriptedLoop: StartAgent = async ({ condition, directory, meters }) => {
	const count = await loadTokenCounter();
	const [policy] = parsePolicies(condition.policy);
	if (!policy)
		throw new CwlError("unknown-policy", `There is no policy ${JSON.stringify(condition.policy)}.`);
	return createLocalAgent({
		...{ directory, policy, count },
		model: createModel(meters),
		hasDelimiter: condition.manager === "cwl",
		budget: condition.budget,
		fixed: createReplayPrompt(count).fixed,
		onRequest: (figure) => meters.requests.push(figure),
	});
};

/** pi compacts at the window less the reserve; the window is set so that this point is the budget. */
function compactionSettings({ manager, budget }: Condition) {
	const keepRecentTokens = Math.min(KEEP_RECENT, KEEP_SHARE * budget);
	return { enabled: manager === "pi", reserveTokens: RESERVE, keepRecentTokens };
}

function figureOf(record: RequestRecord, isSummary: boolean): RequestFigure {
	return {
		tokens: record.promptTokens,
		cachedTokens: record.cachedTokens,
		prefixTokens: record.prefixTokens,
		outputTokens: record.outputTokens,
		isRefused: record.refused !== undefined,
		isSummary: isSummary && record.refused === undefined,
	};
}
