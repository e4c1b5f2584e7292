/** The real pi as the agent of a run, through its RPC mode: with the scripted worker over HTTP, or with a real model. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf, type PiEvent, startLoopback, startPiProcess, writeAgentDirectory } from "#loopback";
import { CwlError } from "#pi";
import { NODE, PROGRAM } from "../pi-host.ts";
import { type Condition, isOnlyInProcess, readSettings } from "./conditions.ts";
import { type Agent, createModel, type Meters, type StartAgent } from "./run.ts";
import { isSummaryRequest } from "./summariser.ts";

/** Tokens; far above every budget, so that only policies without a budget come near it. */
const CONTEXT_WINDOW = 1_000_000;
/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const extension = join(import.meta.dirname, "..", "..", "extensions", "cwl", "index.ts");
const IDLE_POLL_MS = 20;

/** The worker: it costs nothing and sends nothing off this machine. */
export const startScriptedPi: StartAgent = async (place) => {
	const { condition, directory, scratch, meters } = place;
	const model = createModel(place);
	let isSummary = false;
	const server = await startLoopback({
		model: (request) => {
			isSummary = isSummaryRequest(request);
			return model(request);
		},
		contextWindow: CONTEXT_WINDOW,
		onRequest: ({ promptTokens: tokens, cachedTokens, prefixTokens, outputTokens, refused }) => {
			const isRefused = refused !== undefined;
			const sizes = { tokens, cachedTokens, prefixTokens, outputTokens };
			meters.requests.push({ ...sizes, isRefused, isSummary: isSummary && !isRefused });
		},
	});
	const agentDirectory = join(scratch, "agent");
	const { manager, budget } = condition;
	await writeAgentDirectory(agentDirectory, {
		url: server.url,
		api: "anthropic",
		// pi compacts at the window less the reserve; the window is set so that this point is the budget.
		contextWindow: manager === "pi" ? budget + RESERVE : CONTEXT_WINDOW,
		settings: {
			compaction: {
				enabled: manager === "pi",
				reserveTokens: RESERVE,
				keepRecentTokens: Math.min(KEEP_RECENT, KEEP_SHARE * budget),
			},
		},
	});
	const environment = { ...process.env, PI_CODING_AGENT_DIR: agentDirectory };
	const agent = startPiAgent({ condition, directory, environment });
	return {
		...agent,
		async close() {
			await agent.close();
			await server.close();
		},
	};
};

/**
 * A real model, `provider/id`, with the user's keys and settings and a session folder of its own. The run stops once the
 * provider's charge exceeds `maxCost` dollars; the request that exceeds it is paid.
 */
export function startWithModel(model: string, maxCost: number): StartAgent {
	return async ({ condition, directory, scratch, meters }) => {
		meters.paid = 0;
		return startPiAgent({
			...{ condition, directory, environment: process.env },
			args: ["--model", model, "--session-dir", join(scratch, "sessions")],
			onEvent: (event) => takeNote(meters, event, maxCost),
		});
	};
}

/** Exported for its test, because a run with a real model needs a provider. */
export function takeNote(meters: Meters, event: PiEvent, maxCost: number): void {
	if (event.type === "tool_execution_start" && typeof event.toolName === "string")
		meters.exploration.note([{ name: event.toolName, arguments: fieldsOf(event.args) }]);
	if (event.type !== "message_end") return;
	const message = fieldsOf(event.message);
	if (message.role !== "assistant") return;
	const usage = fieldsOf(message.usage);
	const [input, cached, written, output] = [usage.input, usage.cacheRead, usage.cacheWrite, usage.output].map(
		numberOf,
	);
	meters.requests.push({
		...{ tokens: (input ?? 0) + (cached ?? 0) + (written ?? 0), outputTokens: output ?? 0 },
		...{ cachedTokens: cached ?? 0, prefixTokens: cached ?? 0 },
		...{ isRefused: message.stopReason === "error", isSummary: false },
	});
	meters.paid = (meters.paid ?? 0) + numberOf(fieldsOf(usage.cost).total);
	if (meters.paid > maxCost) meters.stop.abort();
}

const numberOf = (value: unknown): number =>
	typeof value === "number" && Number.isFinite(value) ? value : 0;

interface PiAgentOptions {
	readonly condition: Condition;
	/** The repository to work in. */
	readonly directory: string;
	/** Further arguments, such as the model to use. */
	readonly args?: readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly onEvent?: (event: PiEvent) => void;
}

/** Starts pi with our extension, which is switched off where pi compacts. */
function startPiAgent({ condition, directory, args = [], environment, onEvent }: PiAgentOptions): Agent {
	if (isOnlyInProcess(condition))
		throw new CwlError("bad-flag", `${condition.name} does not run through pi: add --in-process.`);
	const pi = startPiProcess({
		command: [NODE, PROGRAM, "-e", extension, ...args],
		cwd: directory,
		environment: { ...environment, ...environmentOf(condition), PI_OFFLINE: "1" },
		...(onEvent && { onEvent }),
	});
	return {
		async ask(prompt) {
			await pi.prompt(prompt);
			// pi compacts after the end of a run and takes no prompt in the meantime.
			for (;;) {
				const { isCompacting, isStreaming } = fieldsOf((await pi.send({ type: "get_state" })).data);
				if (isCompacting !== true && isStreaming !== true) return;
				await pause(IDLE_POLL_MS);
			}
		},
		renew: async () => void (await pi.send({ type: "new_session" })),
		close: () => pi.close(),
	};
}

function environmentOf({ manager, policy: name, budget }: Condition): Readonly<Record<string, string>> {
	if (manager !== "cwl") return { CWL_ENABLED: "false" };
	const { policy, lowWater } = readSettings(name);
	return { CWL_ENABLED: "true", CWL_POLICY: policy, CWL_LOW_WATER: lowWater, CWL_BUDGET: String(budget) };
}
