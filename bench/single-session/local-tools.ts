/** The agent's tools in this process: pi's own file tools, our grep, the delimiter protocol and recall. */
import type { AgentTool } from "@mariozechner/pi-agent-core";
import { createCodingTools } from "@mariozechner/pi-coding-agent";
import { advanceProtocol, decideDelimiter, emptyProtocol } from "#core/annotation";
import { loadTokenCounter, toolWords } from "#pi";
import { formatGrepResult, type GrepRequest, grep } from "#workspace";

export interface LocalToolOptions {
	readonly directory: string;
	readonly hasDelimiter: boolean;
	/** Answers a page of a recall; without it the tool is not offered. */
	readonly recall: ((query: string, page: number) => string) | undefined;
}

/** The tools of one session; the delimiter keeps the state of its protocol. */
export function createLocalTools({ directory, hasDelimiter, recall }: LocalToolOptions): AgentTool[] {
	return [
		...(hasDelimiter ? [createDelimiterTool()] : []),
		...(recall ? [createRecallTool(recall)] : []),
		...createCodingTools(directory),
		createGrepTool(directory),
	];
}

function createRecallTool(recall: (query: string, page: number) => string): AgentTool {
	return defineTool(toolWords.recall, async ({ query, page = 1 }) => recall(String(query), Number(page)));
}

function createGrepTool(cwd: string): AgentTool {
	return defineTool(toolWords.grep, async (input) => {
		const request: GrepRequest = { pattern: String(input.pattern) };
		return formatGrepResult(await grep(request, { cwd }), await loadTokenCounter());
	});
}

function createDelimiterTool(): AgentTool {
	let protocol = emptyProtocol;
	return defineTool(toolWords.delimiter, async (input) => {
		const decision = decideDelimiter(protocol, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		protocol = advanceProtocol(protocol, decision.command);
		return `${decision.command.type} accepted`;
	});
}

type Words = (typeof toolWords)[keyof typeof toolWords];

/** A tool whose result is text. It throws on failure, as pi's tools do. */
function defineTool(
	words: Words,
	run: (input: Readonly<Record<string, unknown>>) => Promise<string>,
): AgentTool {
	return {
		...words,
		label: words.name,
		execute: async (_id, input) => ({
			content: [{ type: "text", text: await run({ ...Object(input) }) }],
			details: undefined,
		}),
	};
}
