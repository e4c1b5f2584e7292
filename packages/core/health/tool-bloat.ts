/** How much of a request is what tools returned. */
import type { Graph } from "../graph/graph.ts";
import { sentSizes } from "../ledger/ledger.ts";
import type { View } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import type { ToolResult } from "../transcript/transcript.ts";

export interface ToolBloat {
	/** Tokens of the results that are still sent. */
	readonly tokens: number;
	/** Of them all, the largest one. */
	readonly largest: ToolResult | undefined;
	/** Results that are sent at lower detail, and by how many tokens they are smaller; absent if none is. */
	readonly faded?: { readonly outputs: number; readonly tokens: number };
}

/** Measures the tool output that the next request still sends. Linear in the session. */
export function measureToolBloat(graph: Graph, view: View): ToolBloat {
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	const sizeOf = sentSizes(graph, view);
	let tokens = 0;
	let largest: ToolResult | undefined;
	for (const { items } of graph.messages) {
		for (const item of items) {
			if (item.type !== "result" || isGone(item)) continue;
			tokens += sizeOf(item);
			if (!largest || sizeOf(item) > sizeOf(largest)) largest = item;
		}
	}
	const faded = { outputs: view.faded.size, tokens: view.fadedTokens };
	return { tokens, largest, ...(faded.outputs > 0 && { faded }) };
}
