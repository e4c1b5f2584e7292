/** How much a pass reduces the episodes that it touches. */
import type { WholeGraph } from "../graph/graph.ts";
import type { View } from "../log/view.ts";

/**
 * Original tokens of the stripped episodes for each token that is left of them, the lines in their place included. 1
 * if no episode was stripped; infinite if nothing is left. Records of evicted episodes have no tokens to compare, so
 * the graph must be whole.
 */
export function measureCompressionRatio(
	{ episodes }: Pick<WholeGraph, "extent" | "episodes">,
	view: Pick<View, "episodes" | "removedTokens" | "markerTokens">,
): number {
	const before = episodes.reduce((sum, { id, tokens }) => sum + (view.episodes.has(id) ? tokens : 0), 0);
	if (before === 0) return 1;
	return before / (before - view.removedTokens + view.markerTokens);
}
