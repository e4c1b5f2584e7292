/**
 * The tools of `cwl mcp` as agents name them, and the answers that it gives without knowing the conversation. The proxy
 * puts the real ones in their place, because it alone knows which conversation a call belongs to.
 */
import { DELIMITER } from "#core/annotation";
import { RECALL } from "#core/recall";
import type { ParsedRequest } from "../conversation/request.ts";

/** The name under which agents are told to add the server. */
export const MCP_SERVER = "cwl";

/** The answer to a delimiter call, which stands unless the conversation rules the call out. */
export const DELIMITER_ANSWER = "cwl noted it.";
/** The answer to a recall, which stands where nothing was evicted: then it is true. */
export const RECALL_ANSWER = "cwl evicted nothing from this conversation: all of it still stands above.";

/** Claude Code and Codex put `mcp__cwl__` before the name, opencode `cwl_`. */
const OWN_TOOL = new RegExp(
	`^(?:mcp__(?:\\w+_)?${MCP_SERVER}__|${MCP_SERVER}_)(${DELIMITER}|${RECALL}|glob|grep)$`,
);

/** The name of a tool without what an agent puts before the tools of our server; other names as they are. */
export function plainToolName(name: string): string {
	return OWN_TOOL.exec(name)?.[1] ?? name;
}

/** Returns true if a request offers our recall to the model. */
export function offersRecall({ bytes, tools }: ParsedRequest): boolean {
	const text = tools ? bytes.subarray(tools.start, tools.end) : "";
	if (text.includes(`${MCP_SERVER}_${RECALL}"`)) return true;
	// Codex groups the tools of a server under its name, with or without a tail, and leaves their own names as they are.
	const isGrouped = text.includes(`__${MCP_SERVER}__`) || text.includes(`__${MCP_SERVER}"`);
	return isGrouped && text.includes(`${RECALL}"`);
}
