/** When an episode has grown so large that what is in it should not wait for its end. */
import type { Episode } from "../graph/graph.ts";

/** More than this share of the budget. */
const MAX_SHARE = 0.2;

/**
 * Whether an episode has outgrown its share of a budget in tokens: one that the model keeps open is then worth ending,
 * and a run that nobody marked is treated as if it had ended.
 */
export function isOversized({ tokens }: Episode, budget: number): boolean {
	return tokens > MAX_SHARE * budget;
}
