/** Where a pass cuts the prefix that the provider has cached, and its effect on the requests after it. */
import type { Graph } from "../graph/graph.ts";
import { sentSizes, totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { linesOf, type View } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { type ItemId, sumTokens } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

/**
 * The effect of a pass that was planned from this input, in tokens: those that every later request saves, and those that the
 * provider had cached and the next request writes again, which is everything behind the cut.
 */
export function passEffect({ graph, view, fixed }: PlanInput, pass: Pass) {
	const freed = pass.before - pass.after;
	const total = totalTokens({ graph, view, fixed }) - freed;
	const kept = fixed.system + fixed.tools + tokensBeforeCut(graph, view, pass);
	return { freed, rewritten: Math.max(0, total - kept - newTokens(graph)) };
}

/** Tokens that the next request is the first to send: the last answer and what followed it. */
function newTokens({ messages, lastExchange }: Graph): number {
	if (lastExchange < 0) return 0;
	return sumTokens(messages.slice(lastExchange).flatMap(({ items }) => items));
}

/**
 * Tokens of the history in front of the first thing that a pass took or set, as they are sent under a view that holds
 * the pass or the one before it. System prompt and tools are not among them. Linear in the history.
 */
export function tokensBeforeCut(graph: Graph, view: View, pass: Pass): number {
	const touched = touchedItems(graph, pass);
	const sizeOf = sentSizes(graph, view);
	const gone = removedBy(graph, view.removed);
	const markers = new Map<ItemId, number>();
	for (const { anchor, tokens } of linesOf(view)) markers.set(anchor, (markers.get(anchor) ?? 0) + tokens);
	let tokens = 0;
	for (const { items } of graph.messages) {
		for (const item of items) {
			if (touched.has(item.id)) return tokens;
			const sent = gone(item) ? 0 : sizeOf(item) - (view.released.get(item.id)?.tokens ?? 0);
			tokens += sent + (markers.get(item.id) ?? 0);
		}
	}
	return tokens;
}

function touchedItems(
	{ resultOf }: Graph,
	{ strips, indexLines = [], reductions = [], releases = [] }: Pass,
): ReadonlySet<ItemId> {
	const markers = [...strips, ...indexLines].flatMap(({ marker }) => (marker ? [marker.anchor] : []));
	const reduced = reductions.map(({ item }) => resultOf.get(item)?.id ?? item);
	return new Set([
		...strips.flatMap(({ items }) => items),
		...reduced,
		...releases.map(({ item }) => item),
		...markers,
	]);
}
