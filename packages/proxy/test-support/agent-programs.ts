/**
 * Claude Code, Codex and opencode as programs: how each is started against a base address, asked and ended. They are
 * looked for in the folder that CWL_AGENTS names, and nothing here installs them.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isRecord, type UnknownRecord } from "#basics";

export interface AgentOptions {
	/** Base address of the proxy, without `/v1`. */
	readonly url: string;
	/** The folder to work in. */
	readonly directory: string;
	/** A folder for the agent's own files. */
	readonly home: string;
}

export interface RunningAgent {
	/** Resolves when the agent has answered. */
	ask(prompt: string): Promise<unknown>;
	close(): Promise<unknown>;
}

export interface AgentProgram {
	/** The path of its program; undefined if it is not installed. */
	readonly path: string | undefined;
	/** The name of a tool of `cwl mcp` in the agent's requests. */
	readonly ownTool: (name: string) => string;
	/** The call that runs a command in the agent's shell. */
	readonly shellCall: (command: string) => { readonly name: string; readonly arguments: UnknownRecord };
	readonly start: (path: string, options: AgentOptions) => RunningAgent | Promise<RunningAgent>;
}

function findAgent(name: string): string | undefined {
	const path = join(process.env.CWL_AGENTS ?? "", name);
	return process.env.CWL_AGENTS !== undefined && existsSync(path) ? path : undefined;
}

export const agentPrograms: Readonly<Record<string, AgentProgram>> = {
	claude: {
		path: findAgent("claude"),
		ownTool: (name) => `mcp__cwl__${name}`,
		shellCall: (command) => ({ name: "Bash", arguments: { command, description: "Runs a command" } }),
		start: startClaudeCode,
	},
	codex: {
		path: findAgent("codex"),
		// Codex groups the tools of a server in a namespace.
		ownTool: (name) => `mcp__cwl.${name}`,
		shellCall: (cmd) => ({ name: "exec_command", arguments: { cmd } }),
		start: startCodex,
	},
	opencode: {
		path: findAgent("opencode"),
		ownTool: (name) => `cwl_${name}`,
		shellCall: (command) => ({ name: "bash", arguments: { command, description: "Runs a command" } }),
		start: startOpencode,
	},
};

const server = {
	command: process.execPath,
	args: [fileURLToPath(new URL("../../cli/bin.mjs", import.meta.url)), "mcp"],
};

function environmentFor({ home }: AgentOptions): NodeJS.ProcessEnv {
	mkdirSync(home, { recursive: true });
	return { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8" };
}

function startClaudeCode(path: string, options: AgentOptions): RunningAgent {
	const env = {
		...environmentFor(options),
		ANTHROPIC_BASE_URL: options.url,
		ANTHROPIC_API_KEY: "dummy",
		IS_SANDBOX: "1",
		DISABLE_TELEMETRY: "1",
		DISABLE_AUTOUPDATER: "1",
		DISABLE_ERROR_REPORTING: "1",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		DISABLE_AUTO_COMPACT: "1",
		// Without these the tools of a server arrive late or are hidden behind a search.
		MCP_CONNECTION_NONBLOCKING: "0",
		MCP_TIMEOUT: "120000",
		ENABLE_TOOL_SEARCH: "false",
	};
	const args = [
		"-p",
		"--input-format",
		"stream-json",
		"--output-format",
		"stream-json",
		"--verbose",
		"--dangerously-skip-permissions",
		"--model",
		"claude-fable-5-2",
		"--strict-mcp-config",
		"--mcp-config",
		JSON.stringify({ mcpServers: { cwl: server } }),
	];
	const child = spawn(path, args, { cwd: options.directory, env, stdio: ["pipe", "pipe", "inherit"] });
	const lines = createInterface({ input: child.stdout });
	return {
		ask(prompt) {
			return new Promise((resolve, reject) => {
				const onClose = () => reject(new Error("Claude Code ended"));
				const onLine = (line: string) => {
					const event: unknown = JSON.parse(line);
					if (!isRecord(event) || event.type !== "result") return;
					lines.off("line", onLine).off("close", onClose);
					resolve(event.result);
				};
				lines.on("line", onLine).once("close", onClose);
				const message = { type: "user", message: { role: "user", content: prompt } };
				child.stdin.write(`${JSON.stringify(message)}\n`);
			});
		},
		close() {
			child.stdin.end();
			return ended(child);
		},
	};
}

/** Each prompt is a process that resumes the session. */
function startCodex(path: string, options: AgentOptions): RunningAgent {
	const { url, directory, home } = options;
	const env = { ...environmentFor(options), CODEX_HOME: home, OPENAI_API_KEY: "dummy" };
	const command = `command=${JSON.stringify(server.command)},args=${JSON.stringify(server.args)}`;
	const settings = [
		"model_provider=loop",
		`model_providers.loop={name="loop",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
		"model_auto_compact_token_limit=10000000",
		`mcp_servers.cwl={${command},startup_timeout_sec=120,required=true}`,
	].flatMap((setting) => ["-c", setting]);
	const flags = ["--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", "-m", "gpt-6.2"];
	let isBegun = false;
	return {
		async ask(prompt) {
			const resume = isBegun ? ["resume", "--last"] : [];
			isBegun = true;
			const args = ["exec", ...flags, ...settings, ...resume, prompt];
			const child = spawn(path, args, { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] });
			let errors = "";
			child.stderr.on("data", (data) => {
				errors += data;
			});
			const code = await ended(child);
			if (code !== 0) throw new Error(`Codex ended with ${code}: ${errors.slice(-500)}`);
		},
		close: async () => undefined,
	};
}

async function startOpencode(path: string, options: AgentOptions): Promise<RunningAgent> {
	const model = "claude-fable-5-2";
	const config = {
		autoupdate: false,
		share: "disabled",
		permission: { "*": "allow" },
		compaction: { auto: false },
		mcp: { cwl: { type: "local", command: [server.command, ...server.args], timeout: 120_000 } },
		provider: {
			loop: {
				npm: "@ai-sdk/anthropic",
				options: { baseURL: `${options.url}/v1`, apiKey: "dummy" },
				models: { [model]: { limit: { context: 1_000_000, output: 8_000 } } },
			},
		},
	};
	const env = { ...environmentFor(options), OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
	const child = spawn(path, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
		cwd: options.directory,
		env,
		stdio: ["ignore", "pipe", "inherit"],
	});
	const address = await firstAddress(child);
	const post = async (to: string, body: object): Promise<unknown> => {
		const answer = await fetch(`${address}${to}`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`opencode answered ${answer.status}: ${await answer.text()}`);
		return await answer.json();
	};
	const session = await post("/session", {});
	const id = isRecord(session) ? String(session.id) : "";
	return {
		ask: (text) =>
			post(`/session/${id}/message`, {
				model: { providerID: "loop", modelID: model },
				parts: [{ type: "text", text }],
			}),
		close() {
			child.kill();
			return ended(child);
		},
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

async function ended(child: ChildProcess): Promise<unknown> {
	return child.exitCode ?? (await once(child, "exit"))[0];
}
