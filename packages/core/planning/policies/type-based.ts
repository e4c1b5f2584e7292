/**
 * Type-based eviction of seed 002 (section 3, policy 5, `TypeBasedScorer`): each kind has a life in requests, outputs 8
 * and replies 30; what has outlived it goes first, the rest by the share of its life that is left. Reasoning, which the
 * seed clears once its tool cycle ends, leaves before both.
 */
import { batchPolicy } from "../batch-policy.ts";
import { requestsSince, type Scene, type Score } from "../candidates.ts";

const lives = { output: 8, words: 30 };

export const type = batchPolicy("type", { createScore: createLifeLeft });

/** Between 0 and 1. */
export function createLifeLeft({ input }: Scene): Score {
	const ageOf = requestsSince(input.graph);
	return ({ type, message }) => Math.max(0, 1 - ageOf(message) / lives[type]);
}
