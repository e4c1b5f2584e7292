/** The worker's tools in a directory: pi's own read, edit, write and bash, plus grep and delimiter. */

import { createCodingTools } from "@mariozechner/pi-coding-agent";
import { advanceProtocol, decideDelimiter, emptyProtocol } from "#core/annotation";
import { formatGrepResult, grep } from "#workspace";
import type { ModelCall, ToolDefinition } from "../../model.ts";
import { countTokens } from "../../tokens.ts";

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
export function createToolRunner(directory: string) {
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
		if (name === "grep")
			return formatGrepResult(
				await grep({ pattern: String(input.pattern) }, { cwd: directory }),
				countTokens,
			);
		const tool = tools.find((candidate) => candidate.name === name);
		if (!tool) throw new Error(`Tool ${name} not found`);
		const { content } = await tool.execute(id, structuredClone(input));
		return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
	};
	return async (call: ModelCall) => {
		try {
			return { text: await perform(call), isError: false };
		} catch (error) {
			return { text: error instanceof Error ? error.message : String(error), isError: true };
		}
	};
}
