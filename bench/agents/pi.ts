/** pi itself: with the extension in place of the proxy, with pi's own compaction, or with nothing. */
import { readFile } from "node:fs/promises";
import glob from "fast-glob";
import { writeAgentDirectory } from "#loopback";
import { PASS_ENTRY } from "#pi";
import type { Condition } from "../single-session/conditions.ts";
import { startPiAgent } from "../single-session/pi-agent.ts";
import { isSummaryRequest } from "../single-session/summariser.ts";
import type { Dialect } from "./dialect.ts";
import type { Program, ProgramOptions } from "./programs.ts";

/** The worker knows pi's tools. */
export const piDialect: Dialect = {
	tools: undefined,
	ownPrefix: "",
	isSummary: isSummaryRequest,
	spell: (call) => call,
	read: (call) => call,
	readResult: (_call, result) => result,
};

/** In tokens: pi compacts at the window less the reserve, and keeps so much of what is recent. */
const [RESERVE, KEEP_RECENT] = [16_384, 10_000];

export async function startPi(_path: string, options: ProgramOptions): Promise<Program> {
	const { url, manager, budget, directory, home } = options;
	const isOwn = manager === "own";
	await writeAgentDirectory(home, {
		...{ url, api: "anthropic", contextWindow: isOwn ? budget + RESERVE : 1_000_000 },
		settings: { compaction: { enabled: isOwn, reserveTokens: RESERVE, keepRecentTokens: KEEP_RECENT } },
	});
	const policy = { proxy: "cwl", own: "compaction", none: "none" }[manager];
	const condition: Condition = {
		...{ name: policy, policy, budget, mode: "single" },
		manager: manager === "proxy" ? "cwl" : manager === "own" ? "pi" : "replay",
	};
	const environment = { ...process.env, PI_CODING_AGENT_DIR: home };
	const { ask, close } = startPiAgent({ condition, directory, args: [], environment });
	return { ask, close, restart: async () => undefined, countPasses: () => countPasses(home) };
}

/** Passes in the session files below a folder. */
async function countPasses(home: string): Promise<number> {
	const files = await glob("**/*.jsonl", { cwd: home, absolute: true });
	const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
	return texts.join("\n").split(`"customType":"${PASS_ENTRY}"`).length - 1;
}
