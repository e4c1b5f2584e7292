/** The real pi as the agent of a run, through its RPC mode, with the scripted worker over HTTP. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf, startLoopback, startPiProcess, writeAgentDirectory } from "#loopback";
import { CwlError } from "#pi/errors.ts";
import { NODE, PROGRAM } from "../pi-host.ts";
import { type Condition, isOnlyInProcess, readSettings } from "./conditions.ts";
import { isSummaryRequest } from "./model-wrappers.ts";
import { type Agent, createModel, type StartAgent } from "./run.ts";

/** Tokens; far above every budget, so that only policies without a budget come near it. */
const CONTEXT_WINDOW = 1_000_000;
/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const extension = join(import.meta.dirname, "..", "..", "extensions", "cwl", "index.ts");
const IDLE_POLL_MS = 20;

/**
 * The worker: it costs nothing and sends nothing off this machine. By the clock of the provider's cache its requests are
 * `secondsApart` seconds apart.
 */
export const scriptedPi =
	(secondsApart = 0): StartAgent =>
	async (place) => {
		const { condition, directory, scratch, meters } = place;
		const model = createModel(place);
		let isSummary = false;
		let time = 0;
		const server = await startLoopback({
			model: (request) => {
				isSummary = isSummaryRequest(request);
				time += 1_000 * secondsApart;
				return model(request);
			},
			now: () => time,
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
		const agent = startPiAgent(condition, directory, agentDirectory);
		return {
			...agent,
			async close() {
				await agent.close();
				await server.close();
			},
		};
	};

/** Starts pi with our extension, which is switched off where pi compacts. */
function startPiAgent(condition: Condition, cwd: string, agentDirectory: string): Agent {
	if (isOnlyInProcess(condition))
		throw new CwlError("bad-flag", `${condition.name} does not run through pi: add --in-process.`);
	const environment = {
		...process.env,
		...environmentOf(condition),
		PI_CODING_AGENT_DIR: agentDirectory,
		PI_OFFLINE: "1",
	};
	const pi = startPiProcess({ command: [NODE, PROGRAM, "-e", extension], cwd, environment });
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
