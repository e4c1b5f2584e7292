/** The real pi as the agent of an arm, through its RPC mode, in a folder of settings of its own. */
import { existsSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fieldsOf, objectsOf, stringOf } from "#loopback";
import { type PiEvent, startPiProcess } from "#loopback/pi-driver";
import { EXTENSION, NODE, PROGRAM } from "../pi-host.ts";
import { type Condition, readSettings } from "../single-session/conditions.ts";
import { BARE, type LiveModel, readFields } from "./provider.ts";

/** pi's own default: it compacts this many tokens below the window. */
const RESERVE = 16_384;
/** pi's own default, in tokens, and the largest share of the budget that it may take. */
const KEEP_RECENT = 20_000;
const KEEP_SHARE = 0.25;

const IDLE_POLL_MS = 20;
const TOOLS_WITHOUT_MARKS = "read,bash,edit,write,glob,grep,recall";

interface PiAgentOptions {
	readonly condition: Condition;
	/** The repository to work in. */
	readonly directory: string;
	/** For pi's settings. */
	readonly agentDirectory: string;
	readonly model: LiveModel;
	/** Further arguments. */
	readonly args: readonly string[];
	readonly onEvent: (event: PiEvent) => void;
}

export type PiAgent = Awaited<ReturnType<typeof startPiAgent>>;

/** Starts pi with our extension, which is switched off where pi compacts or nobody manages the context. */
export async function startPiAgent(options: PiAgentOptions) {
	const { condition, directory, agentDirectory, model, args, onEvent } = options;
	await writeSettings(agentDirectory, model, condition);
	const { policy, lowWater, hasMarks } = readSettings(condition.policy);
	const managed = { CWL_POLICY: policy, CWL_LOW_WATER: lowWater, CWL_BUDGET: String(condition.budget) };
	const isManaged = condition.manager === "cwl";
	const tools = hasMarks ? [] : ["--tools", TOOLS_WITHOUT_MARKS];
	let isToContinue = false;
	const pi = startPiProcess({
		command: [NODE, PROGRAM, "-e", EXTENSION, ...tools, ...BARE, "--model", model.name, ...args],
		cwd: directory,
		environment: {
			...{ ...process.env, PI_CODING_AGENT_DIR: agentDirectory, PI_OFFLINE: "1" },
			...{ CWL_ENABLED: String(isManaged), ...(isManaged && managed) },
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
		/** Sends a user turn and returns at its end. Rejects if pi has ended. */
		async ask(prompt: string) {
			await pi.prompt(prompt);
			// pi compacts after the end of a run, or waits to send a failed request again, and takes no prompt in the meantime.
			for (;;) {
				const { isCompacting, isStreaming } = await stateOf();
				if (isCompacting !== true && isStreaming !== true && !isToContinue) return;
				await pause(IDLE_POLL_MS);
			}
		},
		/** Begins a new, empty session. */
		renew: () => pi.send({ type: "new_session" }),
		/** Ends the run in progress; `ask` then returns. */
		abort: () => pi.send({ type: "abort" }),
		/** The path of the session file, which may not exist yet. */
		sessionFile: async () => stringOf((await stateOf()).sessionFile),
		close: () => pi.close(),
	};
}

/** Writes keys and models of the user, and a compaction that works at the budget: at the window less the reserve. */
async function writeSettings(
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
	const models = objectsOf(provider.models).map((model) => ({ ...model, ...(model.id === id && change) }));
	const overrides = fieldsOf(provider.modelOverrides);
	const changed = {
		...{ ...provider, ...(models.length > 0 && { models }) },
		modelOverrides: { ...overrides, [id]: { ...fieldsOf(overrides[id]), ...change } },
	};
	const written = { ...file, providers: { ...providers, [name]: changed } };
	await writeFile(join(directory, "models.json"), JSON.stringify(written));
}
