/** How small a pass makes what it touches. */
import type { Episode } from "../graph/graph.ts";
import type { View } from "../log/view.ts";

/**
 * Tokens of the episodes that were stripped, as they were for each token that is left of them and of the lines that
 * stand for them. 1 while nothing was stripped; infinite when nothing is left.
 */
export function measureCompressionRatio(
	episodes: readonly Pick<Episode, "id" | "tokens">[],
	view: Pick<View, "episodes" | "removedTokens" | "markerTokens">,
): number {
	const before = episodes.reduce((sum, { id, tokens }) => sum + (view.episodes.has(id) ? tokens : 0), 0);
	if (before === 0) return 1;
	return before / (before - view.removedTokens + view.markerTokens);
}
