/** The real pi as the agent of a run, through its RPC mode. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type PiEvent, startPiProcess } from "#loopback";
import { CwlError } from "#pi";
import type { Agent } from "./agent.ts";
import { type Condition, extensionSettings, isOnlyInProcess } from "./conditions.ts";

export interface PiAgentOptions {
	readonly condition: Condition;
	/** The repository to work in. */
	readonly directory: string;
	/** Further arguments, such as the model to use. */
	readonly args: readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly onEvent?: (event: PiEvent) => void;
}

const program = fileURLToPath(new URL("./cli.js", import.meta.resolve("@mariozechner/pi-coding-agent")));
const extension = join(import.meta.dirname, "..", "..", "extensions", "cwl", "index.ts");
const replayPolicy = join(import.meta.dirname, "extensions", "replay-policy.ts");
const IDLE_POLL_MS = 20;

/** Starts pi with the extensions of a condition. */
export function startPiAgent(options: PiAgentOptions): Agent {
	const { condition, directory, args, environment } = options;
	if (isOnlyInProcess(condition))
		throw new CwlError("bad-flag", `${condition.name} does not run through pi: add --in-process.`);
	let answer = "";
	const pi = startPiProcess({
		command: [process.execPath, program, ...extensionsOf(condition).flatMap((path) => ["-e", path]), ...args],
		cwd: directory,
		environment: { ...environment, ...environmentOf(condition), PI_OFFLINE: "1" },
		onEvent(event) {
			answer = textOf(event) ?? answer;
			options.onEvent?.(event);
		},
	});
	return {
		async ask(prompt) {
			answer = "";
			await pi.prompt(prompt);
			// pi compacts after the end of a run and takes no prompt in the meantime.
			for (;;) {
				const { data } = await pi.send({ type: "get_state" });
				if (!isBusy(data)) return answer;
				await pause(IDLE_POLL_MS);
			}
		},
		renew: async () => void (await pi.send({ type: "new_session" })),
		close: () => pi.close(),
	};
}

function extensionsOf({ manager }: Condition): readonly string[] {
	return manager === "replay" ? [extension, replayPolicy] : [extension];
}

function environmentOf(condition: Condition): Readonly<Record<string, string>> {
	const { manager, policy, budget } = condition;
	switch (manager) {
		case "cwl": {
			const settings = extensionSettings(condition);
			return {
				CWL_ENABLED: "true",
				CWL_POLICY: settings.policy,
				CWL_LOW_WATER: settings.lowWater,
				CWL_BUDGET: String(budget),
			};
		}
		case "replay":
			return { CWL_ENABLED: "false", CWL_BENCH_POLICY: policy, CWL_BENCH_BUDGET: String(budget) };
		case "pi":
			return { CWL_ENABLED: "false" };
	}
}

function isBusy(state: unknown): boolean {
	if (typeof state !== "object" || state === null) return false;
	return (
		("isCompacting" in state && state.isCompacting === true) ||
		("isStreaming" in state && state.isStreaming === true)
	);
}

/** The text of an answer that ended. */
function textOf({ type, message }: PiEvent): string | undefined {
	if (type !== "message_end" || !isReply(message)) return undefined;
	return message.content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
}

interface Reply {
	readonly role: "assistant";
	readonly content: readonly { readonly type: string; readonly text?: string }[];
}

function isReply(message: unknown): message is Reply {
	return typeof message === "object" && message !== null && "role" in message && message.role === "assistant";
}
