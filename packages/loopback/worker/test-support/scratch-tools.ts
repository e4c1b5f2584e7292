/** The worker's tools in a directory: pi's own read, edit, write and bash, plus grep and delimiter. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createCodingTools } from "@mariozechner/pi-coding-agent";
import { advanceProtocol, decideDelimiter, emptyProtocol } from "#core/annotation";
import type { ModelCall, ToolDefinition } from "../../model.ts";

const run = promisify(execFile);

interface ToolResult {
	readonly text: string;
	readonly isError: boolean;
}

export type ToolRunner = (call: ModelCall) => Promise<ToolResult>;

const define = (name: string, ...properties: readonly string[]): ToolDefinition => ({
	name,
	description: name,
	parameters: {
		type: "object",
		properties: Object.fromEntries(properties.map((property) => [property, {}])),
	},
});

export const ALL_TOOLS: readonly ToolDefinition[] = [
	...createCodingTools(".").map(({ name, description, parameters }) => ({ name, description, parameters })),
	define("grep", "pattern", "path", "glob"),
	define("glob", "pattern", "path"),
	define("delimiter", "action", "name", "type", "dependencies", "description"),
];

/** Runs tool calls in `directory`; its only state is that of the delimiter protocol. */
export function createToolRunner(directory: string): ToolRunner {
	const tools = createCodingTools(directory);
	let protocol = emptyProtocol;
	const delimit = (input: ModelCall["arguments"]): string => {
		const decision = decideDelimiter(protocol, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		protocol = advanceProtocol(protocol, decision.command);
		return `${decision.command.type} accepted`;
	};
	const perform = async ({ id, name, arguments: input }: ModelCall): Promise<string> => {
		if (name === "delimiter") return delimit(input);
		if (name === "grep") return search(directory, String(input.pattern));
		const tool = tools.find((candidate) => candidate.name === name);
		if (!tool) throw new Error(`Tool ${name} not found`);
		const { content } = await tool.execute(id, structuredClone(input));
		return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
	};
	return async (call) => {
		try {
			return { text: await perform(call), isError: false };
		} catch (error) {
			return { text: error instanceof Error ? error.message : String(error), isError: true };
		}
	};
}

/** Output in the form of pi's grep, made with git: pi's own may download ripgrep first. */
async function search(directory: string, pattern: string): Promise<string> {
	const args = ["grep", "-nE", "--untracked", "-e", pattern];
	const { stdout } = await run("git", args, { cwd: directory }).catch(readNoMatch);
	if (stdout === "") return "No matches found";
	return stdout.trimEnd().replace(/^([^:\n]+:\d+):/gm, "$1: ");
}

/** git grep exits with code 1 if nothing matches. */
function readNoMatch(error: unknown): { readonly stdout: string } {
	if (error instanceof Error && "code" in error && error.code === 1) return { stdout: "" };
	throw error;
}
