/**
 * Type-based eviction of seed 002 (section 3, policy 5, `TypeBasedScorer`): each kind of block has a life in requests,
 * outputs 8, replies 30, reasoning 2; what has outlived it goes first, the rest by the share of its life that is left.
 */
import { type Block, LOW_WATER, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";

const lives = { output: 8, reply: 30, thinking: 2 };

export const type = defineKind("type", { low: LOW_WATER }, (name, { low }) =>
	scoringPolicy(
		name,
		low,
		() =>
			({ blocks }) =>
				blocks.map(lifeLeft),
	),
);

/** Between 0 and 1. */
export function lifeLeft(block: Block): number {
	return Math.max(0, 1 - block.age / lives[block.type]);
}
