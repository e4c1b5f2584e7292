/** The agent's tools without the agent: pi's own file tools, our search, and the delimiter protocol. */
import { createCodingTools } from "@mariozechner/pi-coding-agent";
import { advanceProtocol, DELIMITER, decideDelimiter, emptyProtocol } from "#core";
import type { NewCall } from "#loopback";
import { loadTokenCounter, toolWords } from "#pi";
import { formatGrepResult, type GrepRequest, grep } from "#workspace";

export interface ToolOutput {
	readonly text: string;
	readonly isError: boolean;
}

export type RunTool = (id: string, call: NewCall) => Promise<ToolOutput>;

/** The definitions that a request offers. */
export function offeredTools(hasDelimiter: boolean) {
	const { delimiter, read, bash, edit, write, grep: search, glob } = toolWords;
	const offered = [read, bash, edit, write, search, glob];
	return hasDelimiter ? [delimiter, ...offered] : offered;
}

/** Runs calls in a directory; keeps the state of the delimiter protocol for one session. */
export function createToolRunner(directory: string): RunTool {
	const tools = createCodingTools(directory);
	let protocol = emptyProtocol;

	function delimit(input: NewCall["arguments"]): string {
		const decision = decideDelimiter(protocol, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		protocol = advanceProtocol(protocol, decision.command);
		return `${decision.command.type} accepted`;
	}

	async function perform(id: string, { name, arguments: input }: NewCall): Promise<string> {
		if (name === DELIMITER) return delimit(input);
		if (name === "grep") {
			const request: GrepRequest = { pattern: String(input.pattern) };
			return formatGrepResult(await grep(request, { cwd: directory }), await loadTokenCounter());
		}
		const tool = tools.find((candidate) => candidate.name === name);
		if (!tool) throw new Error(`Tool ${name} not found`);
		const { content } = await tool.execute(id, structuredClone(input));
		return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
	}

	return async (id, call) => {
		try {
			return { text: await perform(id, call), isError: false };
		} catch (error) {
			return { text: error instanceof Error ? error.message : String(error), isError: true };
		}
	};
}
