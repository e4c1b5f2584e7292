/**
 * FIFO of seed 002 (section 3, policy 1): the oldest blocks first. Departures there and in its five siblings: user turns
 * stay, and a call leaves with its result and no placeholder, as the engine's rules demand; the pass begins at the
 * budget and not at three quarters of it, so that all contenders have the same ceiling.
 */
import { LOW_WATER, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";

/** `low`: the share of the budget that a pass goes down to. */
export const fifo = defineKind("fifo", { low: LOW_WATER }, (name, { low }) =>
	scoringPolicy(
		name,
		low,
		() =>
			({ blocks }) =>
				blocks.map(({ message }) => message),
	),
);
