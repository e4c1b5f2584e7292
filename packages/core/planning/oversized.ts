/** When an episode has grown so large that what is in it should not wait for its end. */
import type { Episode } from "../graph/graph.ts";

/** More than this share of the budget. */
const MAX_SHARE = 0.2;

/**
 * Returns true if an episode exceeds its share of a budget in tokens. The model should then end it if it is open, and
 * a run that nobody marked is treated as if it had ended.
 */
export function isOversized({ tokens }: Episode, budget: number): boolean {
	return tokens > MAX_SHARE * budget;
}
