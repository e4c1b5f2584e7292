/** How much a pass reduces the episodes that it touches. */
import type { Graph } from "../graph/graph.ts";
import type { View } from "../log/view.ts";

/**
 * Original tokens of the stripped episodes for each token that is left of them, the lines in their place included. 1
 * if no episode was stripped; infinite if nothing is left.
 */
export function measureCompressionRatio(
	{ episodes, evicted }: Pick<Graph, "episodes" | "evicted">,
	view: Pick<View, "episodes" | "removedTokens" | "markerTokens">,
): number {
	const spent = [...evicted.values()].reduce((sum, { tokens }) => sum + tokens, 0);
	const before = episodes.reduce((sum, { id, tokens }) => sum + (view.episodes.has(id) ? tokens : 0), spent);
	if (before === 0) return 1;
	return before / (before - view.removedTokens + view.markerTokens);
}
