/**
 * `cwl mcp`: our tools for agents that speak the Model Context Protocol. The server knows no conversation: `glob` and `grep`
 * search the folder that the agent works in, and the calls of `delimiter` and `recall` are answered by `cwl proxy`, which
 * finds them in the agent's next request.
 */

import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { quoteStart, type UnknownRecord } from "#basics";
import { messageOf } from "#pi";
import { episodeGuidance, toolWords } from "#pi/prompt";
import { DELIMITER_ANSWER, MCP_SERVER, RECALL_ANSWER } from "#wire";
import { checkArguments, search } from "./built-in-tools.ts";
import { ended, ownVersion, readCommand } from "./command-line.ts";

const usage = `cwl mcp: serves delimiter, recall, glob and grep to an agent, over the Model Context Protocol on stdin and stdout

Your agent starts it. Add it under the name cwl, in addition to cwl proxy --enforce:
  claude mcp add cwl -- cwl mcp
  codex mcp add cwl -- cwl mcp
  opencode.json: "mcp": {"cwl": {"type": "local", "command": ["cwl", "mcp"]}}
`;

/** Serves until the agent closes stdin and returns 0, or 1 after a line that is too long. */
export async function runMcp(argv: readonly string[]): Promise<number> {
	if (!readCommand(argv, usage, {})) return 0;
	return await serveTools(process.cwd());
}

/** Loaded for this command only: the SDK is large. */
async function loadSdk() {
	const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
		import("@modelcontextprotocol/sdk/server/index.js"),
		import("@modelcontextprotocol/sdk/server/stdio.js"),
		import("@modelcontextprotocol/sdk/types.js"),
	]);
	return { Server, StdioServerTransport, ...types };
}

const offered = [toolWords.delimiter, toolWords.recall, toolWords.glob, toolWords.grep];

/** Serves the tools on stdin and stdout until the agent closes stdin or ends the program; returns the exit code. */
async function serveTools(cwd: string): Promise<number> {
	const { CallToolRequestSchema, ListToolsRequestSchema, Server, StdioServerTransport } = await loadSdk();
	const server = new Server(
		{ name: MCP_SERVER, version: ownVersion() },
		{ capabilities: { tools: {} }, instructions: episodeGuidance() },
	);
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: offered.map(({ name, description, parameters: { type, properties, required } }) => ({
			name,
			description,
			annotations: { readOnlyHint: true },
			inputSchema: { type, properties: { ...properties }, required: [...required] },
		})),
	}));
	server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
		try {
			return textResult(await callTool(params.name, params.arguments ?? {}, cwd, signal));
		} catch (error) {
			return { ...textResult(messageOf(error)), isError: true };
		}
	});
	server.onerror = ({ message }) => {
		process.stderr.write(`cwl mcp: ${quoteStart(message, MAX_SHOWN)}\n`);
	};
	const closed = new Promise<number>((resolve) => {
		for (const event of ["end", "close"] as const) process.stdin.once(event, () => resolve(0));
		// The transport closes by itself only where a line is larger than its buffer.
		server.onclose = () => resolve(1);
	});
	await server.connect(new StdioServerTransport());
	const code = await Promise.race([ended(), closed]);
	await server.close();
	return code;
}

/** Characters of a message that are repeated. */
const MAX_SHOWN = 200;

/** @throws Error with what the model reads */
async function callTool(
	name: string,
	args: UnknownRecord,
	cwd: string,
	signal: AbortSignal,
): Promise<string> {
	const words = offered.find((tool) => tool.name === name);
	if (!words) throw new Error(`there is no tool ${JSON.stringify(name)}.`);
	checkArguments(words, args);
	switch (words.name) {
		case "delimiter":
			return DELIMITER_ANSWER;
		case "recall":
			return RECALL_ANSWER;
		default:
			return await search(words.name)(args as never, cwd, signal);
	}
}

function textResult(text: string): CallToolResult {
	return { content: [{ type: "text", text }] };
}
