/** Where the agents on a machine keep their sessions. */
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { agentDirectory } from "#pi";
import { findSessionFiles } from "./session-files.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface UsualFolder {
	readonly agent: string;
	readonly path: string;
}

/**
 * Every folder that may be there, as each agent's documentation names it, or its environment variable does: pi
 * (docs/usage.md), Claude Code (code.claude.com/docs/en/env-vars), Codex (codex-rs/core/src/rollout), Gemini CLI
 * (packages/core/src/config/storage.ts), OpenHands (docs.openhands.dev/openhands/usage/cli/resume; version 0 kept
 * `sessions`), mini-swe-agent (its last run, docs/advanced/global_configuration.md).
 */
export function listUsualFolders(environment: Environment): readonly UsualFolder[] {
	const home = homedir();
	const { CODEX_HOME, GEMINI_CLI_HOME, PI_CODING_AGENT_SESSION_DIR } = environment;
	const config = environment.XDG_CONFIG_HOME || join(home, ".config");
	const claude = environment.CLAUDE_CONFIG_DIR;
	const codex = CODEX_HOME || join(home, ".codex");
	const hands = environment.OPENHANDS_PERSISTENCE_DIR || join(home, ".openhands");
	return [
		{ agent: "pi", path: PI_CODING_AGENT_SESSION_DIR || join(agentDirectory(environment), "sessions") },
		...(claude ? [claude] : [join(home, ".claude"), join(config, "claude")]).map((folder) => ({
			agent: "Claude Code",
			path: join(folder, "projects"),
		})),
		{ agent: "Codex", path: join(codex, "sessions") },
		{ agent: "Codex", path: join(codex, "archived_sessions") },
		{ agent: "Gemini CLI", path: join(GEMINI_CLI_HOME || home, ".gemini", "tmp") },
		{ agent: "OpenHands", path: environment.OPENHANDS_CONVERSATIONS_DIR || join(hands, "conversations") },
		{ agent: "OpenHands", path: join(hands, "sessions") },
		{ agent: "mini-swe-agent", path: environment.MSWEA_GLOBAL_CONFIG_DIR || join(config, "mini-swe-agent") },
	];
}

export interface FoundFolder extends UsualFolder {
	readonly sessions: number;
	/** Of the files; a folder of events counts for nothing. */
	readonly bytes: number;
}

/** Those of the folders that hold sessions; what is not there or cannot be read is passed over. */
export async function findUsualFolders(folders: readonly UsualFolder[]): Promise<readonly FoundFolder[]> {
	const found: FoundFolder[] = [];
	for (const folder of folders) {
		const files = (await findSessionFiles([folder.path])).flatMap((file) =>
			file.type === "file" ? [file.path] : [],
		);
		if (files.length === 0) continue;
		const sizes = await Promise.all([...new Set(files)].map(async (path) => sizeOf(await stat(path))));
		found.push({ ...folder, sessions: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) });
	}
	return found;
}

function sizeOf(entry: Awaited<ReturnType<typeof stat>>): number {
	return entry.isDirectory() ? 0 : Number(entry.size);
}
