/** The tools of Claude Code, Codex and opencode, as they are in the versions that docs/proxy-agents.md names. */
import { join, relative } from "node:path";
import type { ModelCall, ModelRequest, NewCall } from "#loopback";
import { asCommand, type Dialect, textAt, tool } from "./dialect.ts";

const lastUserText = ({ messages }: ModelRequest): string => {
	const last = messages.findLast(({ type }) => type === "user");
	return last?.type === "user" ? last.text : "";
};

/** Claude Code answers a second read of an unchanged file with a reference to the first, which may be evicted. */
const UNCHANGED = "File unchanged since last read";

export function claudeCodeDialect(directory: string): Dialect {
	const inside = (call: ModelCall) => relative(directory, textAt(call.arguments, "file_path"));
	const bash = (command: string) => ({ name: "Bash", arguments: { command, description: "Runs a command" } });
	return {
		tools: ["bash", "read", "write", "grep", "edit"].map((name) => tool(name)),
		ownPrefix: "mcp__cwl__",
		isSummary: (request) => lastUserText(request).includes("create a detailed summary of"),
		spell(call, request) {
			const { arguments: input } = call;
			const path = textAt(input, "path");
			const file = { file_path: join(directory, path) };
			switch (call.name) {
				case "read": {
					const { limit } = input;
					if (isReference(request, file.file_path)) return bash(asCommand(call));
					return { name: "Read", arguments: { ...file, ...(limit !== undefined && { limit }) } };
				}
				case "edit": {
					const [old_string, new_string] = [textAt(input, "oldText"), textAt(input, "newText")];
					return { name: "Edit", arguments: { ...file, old_string, new_string } };
				}
				case "write":
					return { name: "Write", arguments: { ...file, content: textAt(input, "content") } };
				default:
					return bash(asCommand(call));
			}
		},
		read(call) {
			const { arguments: input } = call;
			const path = inside(call);
			switch (call.name) {
				case "Read": {
					const { limit } = input;
					return { ...call, name: "read", arguments: { path, ...(limit !== undefined && { limit }) } };
				}
				case "Edit": {
					const [oldText, newText] = [textAt(input, "old_string"), textAt(input, "new_string")];
					return { ...call, name: "edit", arguments: { path, oldText, newText } };
				}
				case "Write":
					return { ...call, name: "write", arguments: { path, content: textAt(input, "content") } };
				default:
					return { ...call, name: "bash", arguments: { command: textAt(input, "command") } };
			}
		},
		readResult({ name }, { text, isError }) {
			if (name === "Read" && text.includes(UNCHANGED)) return { text, isError: true };
			if (name === "Read") return { text: text.replace(/^\s*\d+\t/gm, ""), isError };
			return { text: text.replace(/^Exit code \d+\n/, ""), isError };
		},
	};
}

/** Returns true if the last read of a file that is still in sight gave only a reference to an earlier one. */
function isReference({ messages }: ModelRequest, path: string): boolean {
	const reads = messages.flatMap((message) =>
		message.type === "assistant"
			? message.calls.filter(({ name, arguments: input }) => name === "Read" && input.file_path === path)
			: [],
	);
	const id = reads.at(-1)?.id;
	return messages.some(
		(message) => message.type === "result" && message.callId === id && message.text.includes(UNCHANGED),
	);
}

export const codexDialect: Dialect = {
	tools: ["bash", "read", "grep"].map((name) => tool(name)),
	// Codex groups the tools of a server in a namespace.
	ownPrefix: "mcp__cwl.",
	isSummary: (request) => lastUserText(request).includes("CONTEXT CHECKPOINT COMPACTION"),
	spell: (call) => ({ name: "exec_command", arguments: { cmd: asCommand(call) } }),
	read: (call) => ({ ...call, name: "bash", arguments: { command: textAt(call.arguments, "cmd") } }),
	readResult(_call, { text }) {
		const [head = "", ...rest] = text.split("\nOutput:\n");
		const code = /Process exited with code (\d+)/.exec(head)?.[1];
		return { text: rest.join("\nOutput:\n"), isError: code !== "0" };
	},
};

export function opencodeDialect(directory: string): Dialect {
	const names = ["bash", "read", "write", "edit", "grep"];
	return {
		tools: names.map((name) => tool(name)),
		ownPrefix: "cwl_",
		isSummary: ({ system, messages }) =>
			/summariz/i.test(system) && !/title/i.test(system) && messages.length > 0,
		spell: (call): NewCall => {
			const { arguments: input } = call;
			const file = { filePath: join(directory, textAt(input, "path")) };
			switch (call.name) {
				case "read": {
					const { limit } = input;
					return { name: "read", arguments: { ...file, ...(limit !== undefined && { limit }) } };
				}
				case "edit": {
					const [oldString, newString] = [textAt(input, "oldText"), textAt(input, "newText")];
					return { name: "edit", arguments: { ...file, oldString, newString } };
				}
				case "write":
					return { name: "write", arguments: { ...file, content: textAt(input, "content") } };
				default:
					return { name: "bash", arguments: { command: asCommand(call), description: "Runs a command" } };
			}
		},
		read(call) {
			const { arguments: input } = call;
			const path = relative(directory, textAt(input, "filePath"));
			switch (call.name) {
				case "read": {
					const { limit } = input;
					return { ...call, arguments: { path, ...(limit !== undefined && { limit }) } };
				}
				case "edit": {
					const [oldText, newText] = [textAt(input, "oldString"), textAt(input, "newString")];
					return { ...call, arguments: { path, oldText, newText } };
				}
				case "write":
					return { ...call, arguments: { path, content: textAt(input, "content") } };
				default:
					return { ...call, name: "bash", arguments: { command: textAt(input, "command") } };
			}
		},
		readResult({ name }, { text, isError }) {
			if (name !== "read") return { text, isError };
			const content = /<content>\n([\s\S]*?)\n*(?:\n\([^\n]*\)\n)?<\/content>/.exec(text)?.[1];
			return content === undefined
				? { text, isError: true }
				: { text: `${content.replace(/^\d+: /gm, "")}\n`, isError };
		},
	};
}
