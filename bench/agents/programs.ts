/** The programs of the agents: how each is started, asked and started again. They must be installed; nothing here is. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isRecord } from "#core";
import type { Agent } from "../single-session/agent.ts";

/** `proxy`: cwl proxy evicts; `own`: the agent's own compaction; `none`: nothing. */
export type Manager = "proxy" | "own" | "none";

export interface ProgramOptions {
	/** Base address of the provider or of the proxy, without `/v1`. */
	readonly url: string;
	/** The repository to work in. */
	readonly directory: string;
	/** A folder for the agent's own files. */
	readonly home: string;
	readonly manager: Manager;
	/** In tokens. */
	readonly budget: number;
}

/** An agent that can be ended and started again in the same session. */
export interface Program extends Omit<Agent, "renew"> {
	restart(): Promise<void>;
	/** Passes of an extension in the agent itself. */
	countPasses?(): Promise<number>;
}

/** The path of a program; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
	const folders = (process.env.PATH ?? "").split(delimiter);
	return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const cwlProgram = fileURLToPath(new URL("../../packages/cli/bin.mjs", import.meta.url));
const cwlMcp = { command: process.execPath, args: [cwlProgram, "mcp"] };

function environmentFor({ home }: ProgramOptions): NodeJS.ProcessEnv {
	mkdirSync(home, { recursive: true });
	return { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
}

/** Claude Code compacts at the window less this much, which it keeps for answer and summary; in tokens. */
const CLAUDE_RESERVE = 33_000;

export function startClaudeCode(path: string, options: ProgramOptions): Program {
	const { url, manager, budget, directory } = options;
	const env = {
		...environmentFor(options),
		...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "dummy", IS_SANDBOX: "1" },
		...{ DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1", DISABLE_ERROR_REPORTING: "1" },
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		// Its system prompt holds the last commits, which changes all thinking's prefix when a session is resumed.
		CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
		// Without these the tools of a server arrive late or are hidden behind a search.
		...{ MCP_CONNECTION_NONBLOCKING: "0", MCP_TIMEOUT: "120000", ENABLE_TOOL_SEARCH: "false" },
		...(manager === "own"
			? { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(budget + CLAUDE_RESERVE) }
			: { DISABLE_AUTO_COMPACT: "1" }),
	};
	const servers = manager === "proxy" ? { cwl: cwlMcp } : {};
	const args = [
		...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
		...["--dangerously-skip-permissions", "--model", "claude-fable-5-2"],
		...["--strict-mcp-config", "--mcp-config", JSON.stringify({ mcpServers: servers })],
	];
	const begin = (more: readonly string[]) => {
		const child = spawn(path, [...args, ...more], {
			cwd: directory,
			env,
			stdio: ["pipe", "pipe", "inherit"],
		});
		const lines = createInterface({ input: child.stdout });
		return { child, lines };
	};
	let running = begin([]);
	const end = async () => {
		running.child.stdin.end();
		await ended(running.child);
	};
	return {
		ask(prompt) {
			const { child, lines } = running;
			const message = { type: "user", message: { role: "user", content: prompt } };
			return new Promise((resolve, reject) => {
				const onClose = () => reject(new Error("Claude Code ended"));
				const onLine = (line: string) => {
					const event: unknown = JSON.parse(line);
					if (!isRecord(event) || event.type !== "result") return;
					lines.off("line", onLine).off("close", onClose);
					resolve(String(event.result));
				};
				lines.on("line", onLine).once("close", onClose);
				child.stdin.write(`${JSON.stringify(message)}\n`);
			});
		},
		async restart() {
			await end();
			running = begin(["--continue"]);
		},
		close: end,
	};
}

/** Each prompt is a process of its own that resumes the session. */
export function startCodex(path: string, options: ProgramOptions): Program {
	const { url, manager, budget, directory, home } = options;
	const env = { ...environmentFor(options), CODEX_HOME: home, OPENAI_API_KEY: "dummy" };
	const provider = `{name="loop",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`;
	const { command, args } = cwlMcp;
	const server = `{command=${JSON.stringify(command)},args=${JSON.stringify(args)},startup_timeout_sec=120,required=true}`;
	const settings = [
		...["model_provider=loop", `model_providers.loop=${provider}`],
		`model_auto_compact_token_limit=${manager === "own" ? budget : 10_000_000}`,
		...(manager === "proxy" ? [`mcp_servers.cwl=${server}`] : []),
	].flatMap((setting) => ["-c", setting]);
	const flags = ["--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", "-m", "gpt-6.2"];
	let isBegun = false;
	return {
		async ask(prompt) {
			const resume = isBegun ? ["resume", "--last"] : [];
			isBegun = true;
			const child = spawn(path, ["exec", ...flags, ...settings, ...resume, prompt], {
				...{ cwd: directory, env },
				stdio: ["ignore", "pipe", "pipe"],
			});
			let [said, errors] = ["", ""];
			child.stdout.on("data", (data) => {
				said += data;
			});
			child.stderr.on("data", (data) => {
				errors += data;
			});
			const code = await ended(child);
			if (code !== 0) throw new Error(`Codex ended with ${code}: ${errors.slice(-500)}`);
			return said;
		},
		restart: async () => undefined,
		close: async () => undefined,
	};
}

/** opencode compacts at the window less this much, which it keeps for the answer; in tokens. */
const OPENCODE_OUTPUT = 8_000;

export async function startOpencode(path: string, options: ProgramOptions): Promise<Program> {
	const { url, manager, budget, directory } = options;
	const context = manager === "own" ? budget + OPENCODE_OUTPUT : 1_000_000;
	const model = "claude-fable-5-2";
	const config = {
		...{ autoupdate: false, share: "disabled", permission: { "*": "allow" } },
		compaction: { auto: manager === "own" },
		...(manager === "proxy" && {
			mcp: { cwl: { type: "local", command: [cwlMcp.command, ...cwlMcp.args], timeout: 120_000 } },
		}),
		provider: {
			loop: {
				npm: "@ai-sdk/anthropic",
				options: { baseURL: `${url}/v1`, apiKey: "dummy" },
				models: { [model]: { limit: { context, output: OPENCODE_OUTPUT } } },
			},
		},
	};
	const env = { ...environmentFor(options), OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
	const begin = async () => {
		const child = spawn(path, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
			...{ cwd: directory, env },
			stdio: ["ignore", "pipe", "inherit"],
		});
		return { child, address: await firstAddress(child) };
	};
	const post = async (address: string, path: string, body: object): Promise<unknown> => {
		const answer = await fetch(`${address}${path}`, {
			...{ method: "POST", headers: { "content-type": "application/json" } },
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`opencode answered ${answer.status}: ${await answer.text()}`);
		return await answer.json();
	};
	let running = await begin();
	const session = await post(running.address, "/session", {});
	const id = isRecord(session) ? String(session.id) : "";
	const end = async () => {
		running.child.kill();
		await ended(running.child);
	};
	return {
		async ask(prompt) {
			const parts = [{ type: "text", text: prompt }];
			const body = { model: { providerID: "loop", modelID: model }, parts };
			return JSON.stringify(await post(running.address, `/session/${id}/message`, body));
		},
		async restart() {
			await end();
			running = await begin();
		},
		close: end,
	};
}

function firstAddress(child: ChildProcess): Promise<string> {
	return new Promise((resolve, reject) => {
		let said = "";
		child.stdout?.on("data", (data) => {
			said += data;
			const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
			if (found) resolve(found);
		});
		child.once("exit", () => reject(new Error(`opencode ended: ${said}`)));
	});
}

function ended(child: ChildProcess): Promise<number | null> {
	if (child.exitCode !== null) return Promise.resolve(child.exitCode);
	return new Promise((resolve) => child.once("exit", resolve));
}
