/** The beginning of the tool loop in progress, which providers want to begin with its reasoning. */
import { type Item, type ItemId, isBlank } from "../transcript/transcript.ts";
import type { Graph } from "./graph.ts";

/** The place after the first answer of the tool loop in progress that has results; before it there may be some that failed. */
function endOfLoopStart({ messages, openLoop, resultOf }: Graph): number {
	let end = openLoop;
	while (end < messages.length && !messages[end]?.items.some(({ id }) => resultOf.has(id))) end += 1;
	return end + 1;
}

/**
 * The calls that keep the beginning of the tool loop in progress in sight, where that begins with reasoning: a provider
 * that reasons refuses a loop that begins without. Of the calls of its first answer it is the one that is
 * smallest together with its result. An answer without results failed, and then the host sends nothing of it, or a crash lost
 * them, and then it does: so what follows it is held too.
 */
export function heldCalls(graph: Graph): ReadonlySet<ItemId> {
	const held = new Set<ItemId>();
	const sizeOf = ({ id, tokens }: Item) => tokens + (graph.resultOf.get(id)?.tokens ?? 0);
	for (const { author, items } of graph.messages.slice(graph.openLoop, endOfLoopStart(graph))) {
		if (author !== "model" || items.find((item) => !isBlank(item))?.type !== "reasoning") continue;
		const calls = items.filter(({ type }) => type === "call");
		const answered = calls.filter(({ id }) => graph.resultOf.has(id));
		const [least] = (answered.length > 0 ? answered : calls).toSorted((a, b) => sizeOf(a) - sizeOf(b));
		if (least) held.add(least.id);
	}
	return held;
}
