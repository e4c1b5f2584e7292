/** One exchange: a model message with the results that answer its calls, and what it says about episodes. */
import {
	DELIMITER,
	type DelimiterCommand,
	decideDelimiter,
	type EpisodeKind,
	type ProtocolState,
} from "../annotation/delimiter.ts";
import { effectOf, type ToolTable } from "../transcript/tool-table.ts";
import type { Item, ToolCall, ToolResult } from "../transcript/transcript.ts";

/** A model message and the results that came so far: settled when the next message of another kind arrives. */
export interface Exchange {
	readonly blocks: readonly Item[];
	readonly results: ToolResult[];
}

/** Take the first of these results that answers a call; call ids may repeat. */
export function takeResult(results: ToolResult[], callId: string): ToolResult | undefined {
	const index = results.findIndex((result) => result.callId === callId);
	return index < 0 ? undefined : results.splice(index, 1)[0];
}

/** Returns true if a call of the exchange has no result yet. */
export function awaitsResults({ blocks, results }: Exchange): boolean {
	const rest = [...results];
	return blocks.some((block) => block.type === "call" && !takeResult(rest, block.callId));
}

/**
 * A delimiter call takes effect when its result says so and the protocol allows it. Dependencies that this
 * transcript no longer holds (the host compacted them away) are dropped: the call was judged when it was made.
 */
export function effectiveCommand(
	protocol: ProtocolState,
	call: ToolCall,
	result: ToolResult | undefined,
): DelimiterCommand | undefined {
	if (call.tool !== DELIMITER || !result || result.isError) return undefined;
	const { dependencies } = call.arguments;
	const known = Array.isArray(dependencies)
		? dependencies.filter((name) => typeof name !== "string" || protocol.kinds.get(name.trim()) === "expl")
		: dependencies;
	const decision = decideDelimiter(protocol, { ...call.arguments, dependencies: known });
	return decision.type === "accepted" ? decision.command : undefined;
}

/** The kind of unmarked work: an act if anything was changed, an expl if anything was looked at, else unknown. */
export function unmarkedKind(blocks: readonly Item[], tools: ToolTable): EpisodeKind | undefined {
	let kind: EpisodeKind | undefined;
	for (const block of blocks) {
		if (block.type !== "call") continue;
		const effect = effectOf(tools, block.tool, block.arguments);
		if (effect === "writes") return "act";
		if (effect === "reads") kind = "expl";
	}
	return kind;
}
