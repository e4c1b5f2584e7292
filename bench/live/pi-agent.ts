/** The real pi of an arm: its extension, tools and settings, and the end of its runs. */

import { existsSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf, recordsOf, textOf } from "#basics";
import { type PiEvent, startPiProcess } from "#testing/pi-driver";
import { EXTENSION, NODE, PROGRAM, PROJECT } from "../pi-host.ts";
import { type Condition, PEER } from "../single-session/conditions.ts";
import { BARE, type LiveModel, readFields } from "./provider.ts";

interface PiAgentOptions {
	readonly condition: Condition;
	readonly model: LiveModel;
	readonly peer: string;
	readonly agentDirectory: string;
	readonly cwd: string;
	readonly args: readonly string[];
	readonly onEvent: (event: PiEvent) => void;
}

/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const IDLE_POLL_MS = 20;
/** pi continues 100 ms after it compacted an overflow; where the answer that overflowed was complete, it does not. */
const CONTINUES_MS = 3_000;
/** Without `delimiter` and `recall`. */
const TOOLS = "read,bash,edit,write,glob,grep";
const BASELINE = join(PROJECT, "bench", "live", "baseline.ts");

/** The extension of an arm, and its tools: ours, one with the same prompt and tools that evicts nothing, or a peer as it comes. */
function flagsOf({ manager, policy, hasMarks }: Condition, peer: string): readonly string[] {
	if (policy === PEER) return ["-e", peer];
	if (manager !== "cwl") return ["-e", BASELINE, "--tools", TOOLS];
	return ["-e", EXTENSION, ...(hasMarks ? [] : ["--tools", `${TOOLS},recall`])];
}

export type PiAgent = ReturnType<typeof startPiAgent>;

/** Starts pi with the extension of the arm. */
export function startPiAgent(options: PiAgentOptions) {
	const { condition, model, peer, agentDirectory, cwd, args, onEvent } = options;
	const { policy, lowWater, isAuto } = condition;
	const budget = isAuto ? "auto" : String(condition.budget);
	const managed = { CWL_POLICY: policy, CWL_LOW_WATER: lowWater, CWL_BUDGET: budget };
	/** The time up to which pi may continue by itself, in ms. */
	let continuesUntil = 0;
	const pi = startPiProcess({
		command: [NODE, PROGRAM, ...flagsOf(condition, peer), ...BARE, "--model", model.name, ...args],
		cwd,
		environment: {
			...process.env,
			PI_CODING_AGENT_DIR: agentDirectory,
			PI_OFFLINE: "1",
			CWL_ENABLED: "true",
			...(condition.manager === "cwl" && managed),
		},
		onEvent(event) {
			const { type, willRetry } = event;
			if (type === "auto_retry_start") continuesUntil = Number.POSITIVE_INFINITY;
			if (willRetry === true) continuesUntil = performance.now() + CONTINUES_MS;
			if (type === "agent_start" || type === "auto_retry_end") continuesUntil = 0;
			onEvent(event);
		},
	});
	const state = async () => fieldsOf((await pi.send({ type: "get_state" })).data);
	return {
		state,
		/** Sends a user turn and returns at its end. Rejects if pi has ended. */
		async ask(prompt: string) {
			await pi.prompt(prompt);
			// pi compacts after the end of a run, or waits to send a failed request again, and takes no prompt in the meantime.
			for (;;) {
				const { isCompacting, isStreaming } = await state();
				const isBusy = isCompacting === true || isStreaming === true || pi.isRunning();
				if (!isBusy && performance.now() > continuesUntil) return;
				await pause(IDLE_POLL_MS);
			}
		},
		/** The path of the session file, which may not exist yet. */
		sessionFile: async () => textOf((await state()).sessionFile),
		send: pi.send,
		close: pi.close,
	};
}

/** Writes keys and models of the user, and a compaction that works at the budget: at the window less the reserve. */
export async function writeSettings(
	directory: string,
	{ provider: name, id, userDirectory }: LiveModel,
	{ manager, budget }: Condition,
): Promise<void> {
	await rm(directory, { recursive: true, force: true });
	await mkdir(directory, { recursive: true });
	const isOn = manager === "pi";
	const change = isOn ? { contextWindow: budget + RESERVE } : {};
	const keepRecentTokens = Math.min(KEEP_RECENT, KEEP_SHARE * budget);
	const compaction = { enabled: isOn, reserveTokens: RESERVE, keepRecentTokens };
	const settings = await readFields(join(userDirectory, "settings.json"));
	await writeFile(join(directory, "settings.json"), JSON.stringify({ ...settings, compaction }));
	// A login that pi renews goes back to where it came from.
	const login = join(userDirectory, "auth.json");
	if (existsSync(login)) await symlink(login, join(directory, "auth.json"));
	const file = await readFields(join(userDirectory, "models.json"));
	const providers = fieldsOf(file.providers);
	const provider = fieldsOf(providers[name]);
	const models = recordsOf(provider.models).map((model) => ({ ...model, ...(model.id === id && change) }));
	const overrides = fieldsOf(provider.modelOverrides);
	const changed = {
		...provider,
		...(models.length > 0 && { models }),
		modelOverrides: { ...overrides, [id]: { ...fieldsOf(overrides[id]), ...change } },
	};
	const written = { ...file, providers: { ...providers, [name]: changed } };
	await writeFile(join(directory, "models.json"), JSON.stringify(written));
}
