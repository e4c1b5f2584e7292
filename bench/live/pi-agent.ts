/** The real pi as the agent of an arm, through its RPC mode. */
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf, stringOf } from "#loopback";
import { type PiEvent, startPiProcess } from "#loopback/pi-driver";
import { EXTENSION, NODE, PROGRAM } from "../pi-host.ts";
import { type Condition, readSettings } from "../single-session/conditions.ts";

/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const IDLE_POLL_MS = 20;
const TOOLS_WITHOUT_MARKS = "read,bash,edit,write,glob,grep,recall";

/** Settings of pi with which it compacts at the budget: at its window less the reserve. The others keep their window. */
export function compactionOf({ manager, budget }: Condition) {
	const isOn = manager === "pi";
	const keepRecentTokens = Math.min(KEEP_RECENT, KEEP_SHARE * budget);
	return {
		contextWindow: isOn ? budget + RESERVE : undefined,
		compaction: { enabled: isOn, reserveTokens: RESERVE, keepRecentTokens },
	};
}

interface PiAgentOptions {
	readonly condition: Condition;
	/** The repository to work in. */
	readonly directory: string;
	readonly agentDirectory: string;
	/** Further arguments, such as the model to use. */
	readonly args: readonly string[];
	readonly onEvent: (event: PiEvent) => void;
}

export interface PiAgent {
	/** Sends a user turn and returns at its end. Rejects if pi has ended. */
	ask(prompt: string): Promise<void>;
	/** Begins a new, empty session. */
	renew(): Promise<void>;
	/** Ends the run in progress; `ask` then returns. */
	abort(): Promise<void>;
	/** The path of the session file, which may not exist yet. */
	sessionFile(): Promise<string>;
	close(): Promise<void>;
}

/** Starts pi with our extension, which is switched off where pi compacts or nobody manages the context. */
export function startPiAgent(options: PiAgentOptions): PiAgent {
	const { condition, directory, agentDirectory, args, onEvent } = options;
	const tools = readSettings(condition.policy).hasMarks ? [] : ["--tools", TOOLS_WITHOUT_MARKS];
	let isToContinue = false;
	const pi = startPiProcess({
		command: [NODE, PROGRAM, "-e", EXTENSION, ...tools, ...args],
		cwd: directory,
		environment: {
			...process.env,
			...environmentOf(condition),
			PI_CODING_AGENT_DIR: agentDirectory,
			PI_OFFLINE: "1",
		},
		onEvent(event) {
			const { type, willRetry } = event;
			if (type === "auto_retry_start" || willRetry === true) isToContinue = true;
			if (type === "agent_start" || type === "auto_retry_end") isToContinue = false;
			onEvent(event);
		},
	});
	const stateOf = async () => fieldsOf((await pi.send({ type: "get_state" })).data);
	return {
		async ask(prompt) {
			await pi.prompt(prompt);
			// pi compacts after the end of a run, or waits to send a failed request again, and takes no prompt in the meantime.
			for (;;) {
				const { isCompacting, isStreaming } = await stateOf();
				if (isCompacting !== true && isStreaming !== true && !isToContinue) return;
				await pause(IDLE_POLL_MS);
			}
		},
		renew: async () => void (await pi.send({ type: "new_session" })),
		abort: async () => void (await pi.send({ type: "abort" })),
		sessionFile: async () => stringOf((await stateOf()).sessionFile),
		close: () => pi.close(),
	};
}

function environmentOf({ manager, policy: name, budget }: Condition): Readonly<Record<string, string>> {
	if (manager !== "cwl") return { CWL_ENABLED: "false" };
	const { policy, lowWater } = readSettings(name);
	return { CWL_ENABLED: "true", CWL_POLICY: policy, CWL_LOW_WATER: lowWater, CWL_BUDGET: String(budget) };
}
