/** Finds the outputs of a session that are sent shortened: large ones that show no file. */
import { showsFiles, type ToolTable, traitsOf } from "#core/transcript";
import { type OutputLimits, outputLimit } from "../outputs/output-limits.ts";
import { shortenOutput } from "../outputs/shorten-output.ts";
import type { HostMessage, ToolResult } from "./host-message.ts";
import { toolCallsOf } from "./message-parts.ts";
import { contentText, fingerprint } from "./messages.ts";
import type { CountTokens } from "./tokens.ts";

export type OutputContent = ToolResult["content"];

/** The content of the output at this place as it is sent under these limits; undefined if it is sent as it is. */
export type OutputShortener = (
	messages: readonly HostMessage[],
	index: number,
	limits: OutputLimits,
) => OutputContent | undefined;

/** Shortens each output once, however many lists hold it. */
export function createOutputShortener(count: CountTokens, tools: ToolTable): OutputShortener {
	const known = new Map<string, OutputContent | undefined>();

	function shorten({ content, toolCallId }: ToolResult, { call, said }: Found, limit: number) {
		const words = `${said}\n${JSON.stringify(call.arguments)}`;
		const short = content.map((block) => {
			if (block.type !== "text") return block;
			const text = shortenOutput(block.text, limit, { callId: toolCallId, words }, count);
			return text === block.text ? block : { ...block, text };
		});
		return short.every((block, at) => block === content[at]) ? undefined : short;
	}

	return (messages, index, limits) => {
		const result = messages[index];
		const found = result?.role === "toolResult" && findCall(messages, index, result.toolCallId);
		if (!found) return undefined;
		const limit = outputLimit(limits, found.call.name);
		if (limit === 0 || mayShowFiles(tools, found.call)) return undefined;
		const name = `${limit} ${fingerprint(result)}`;
		if (known.has(name)) return known.get(name);
		const content = shorten(result, found, limit);
		known.set(name, content);
		return content;
	};
}

interface Found {
	readonly call: ReturnType<typeof toolCallsOf>[number];
	/** The words of the answer that made the call. */
	readonly said: string;
}

/** The call that a result answers: the nearest one before it with its id. */
function findCall(messages: readonly HostMessage[], index: number, callId: string): Found | undefined {
	for (let at = index - 1; at >= 0; at -= 1) {
		const message = messages[at];
		if (message?.role !== "assistant") continue;
		const call = toolCallsOf(message).find(({ id }) => id === callId);
		if (call) return { call, said: contentText(message.content.filter((block) => block.type === "text")) };
	}
	return undefined;
}

/** A tool that nobody knows, such as one of an MCP server, shows a file if it is given one. */
function mayShowFiles(tools: ToolTable, { name, arguments: args }: Found["call"]): boolean {
	const traits = traitsOf(tools, name);
	if (!traits) return fileArguments.some((key) => typeof args[key] === "string");
	const calls = traits.callsOf?.(args) ?? [{ tool: name, arguments: args }];
	return calls.some((call) => showsFiles(tools, call.tool, call.arguments));
}

const fileArguments = ["path", "file", "file_path", "filePath", "filename"] as const;
