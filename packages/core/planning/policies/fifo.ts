/**
 * FIFO of seed 002 (section 3, policy 1): the oldest first. Departures there and in its five siblings: they run on the
 * engine's batches (`batch-policy.ts`), so user turns, the prologue, open episodes and failed calls stay, thinking
 * leaves first, a call leaves with its result, and the pass begins at the budget and stops at low water.
 */
import { batchPolicy } from "../batch-policy.ts";

export const fifo = batchPolicy("fifo", {
	createScore:
		() =>
		({ message }) =>
			message,
});
