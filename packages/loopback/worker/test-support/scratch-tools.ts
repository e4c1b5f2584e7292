/** The worker's tools over a directory, in process: what a coding agent's own tools do, as far as the worker goes. */

import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { advanceProtocol, decideDelimiter, emptyProtocol } from "../../../core/delimiter.ts";
import type { ModelCall, ToolDefinition } from "../../model.ts";
import { occursOnce } from "../text-change.ts";
import { readAction, type SeenAction } from "../toolbox.ts";

const run = promisify(execFile);

export interface ToolResult {
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
	define("read", "path", "offset", "limit"),
	define("edit", "path", "edits"),
	define("write", "path", "content"),
	define("bash", "command", "timeout"),
	define("grep", "pattern", "path", "glob"),
	define("glob", "pattern", "path"),
	define("delimiter", "action", "name", "type", "dependencies", "description"),
];

/** A runner of tool calls in `directory`; it keeps the state of the delimiter protocol, and nothing else. */
export function createToolRunner(directory: string): ToolRunner {
	let protocol = emptyProtocol;
	return async (call) => {
		if (call.name !== "delimiter") return runAction(directory, call);
		const decision = decideDelimiter(protocol, call.arguments);
		if (decision.type === "rejected") return { text: decision.message, isError: true };
		protocol = advanceProtocol(protocol, decision.command);
		return { text: `${decision.command.type} accepted`, isError: false };
	};
}

async function runAction(directory: string, call: ModelCall): Promise<ToolResult> {
	const action = readAction(call);
	if (!action) return { text: `unknown tool or arguments: ${call.name}`, isError: true };
	if (call.name === "bash") return runShell(directory, String(call.arguments.command));
	try {
		return { text: await perform(directory, action), isError: false };
	} catch (error) {
		return { text: String(error), isError: true };
	}
}

async function perform(directory: string, action: SeenAction): Promise<string> {
	if (action.type === "run") throw new Error("commands run in the shell");
	if (action.type === "search") return search(directory, action.pattern);
	const path = join(directory, action.path);
	if (action.type === "read") return readFile(path, "utf8");
	if (action.type === "write") {
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, action.content);
		return `Successfully wrote ${action.content.length} bytes to ${action.path}`;
	}
	const text = await readFile(path, "utf8");
	if (action.edits.length === 0) throw new Error("edits must contain at least one replacement");
	const edited = action.edits.reduce((current, { oldText, newText }) => {
		if (!occursOnce(text, oldText)) throw new Error(`oldText must occur once in ${action.path}`);
		return current.replace(oldText, () => newText);
	}, text);
	await writeFile(path, edited);
	return `Successfully replaced ${action.edits.length} block(s) in ${action.path}.`;
}

async function search(directory: string, pattern: string): Promise<string> {
	const found = await runShell(
		directory,
		`git grep -nE --untracked -e '${pattern.replaceAll("'", "'\\''")}' || true`,
	);
	if (found.isError) throw new Error(found.text);
	const rows = found.text.split("\n").filter((row) => row !== "");
	if (rows.length === 0) return "No matches found";
	return rows.map((row) => row.replace(/^([^:]+:\d+):/, "$1: ")).join("\n");
}

async function runShell(directory: string, command: string): Promise<ToolResult> {
	try {
		const { stdout, stderr } = await run("bash", ["-c", command], { cwd: directory });
		return { text: stdout + stderr || "(no output)", isError: false };
	} catch (error) {
		return { text: error instanceof Error ? error.message : String(error), isError: true };
	}
}
