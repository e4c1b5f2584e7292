/** How much a pass reduces the episodes that it touches. */
import type { Graph } from "../graph/graph.ts";
import { leftOf } from "../ledger/ledger.ts";
import type { View } from "../log/view.ts";

/**
 * Original tokens of the stripped and faded episodes for each token that is left of them, the lines in their place included. 1
 * if no episode was touched; infinite if nothing is left.
 */
export function measureCompressionRatio({ episodes }: Pick<Graph, "episodes">, view: View): number {
	const touched = episodes.filter(
		(episode) => view.episodes.has(episode.id) || leftOf(episode, view) < episode.tokens,
	);
	const before = touched.reduce((sum, { tokens }) => sum + tokens, 0);
	if (before === 0) return 1;
	return before / (before - view.removedTokens - view.fadedTokens + view.markerTokens);
}
