/**
 * LRU of seed 002 (section 3, policy 2): what replies have not referred to for longest goes first. Its prose says so;
 * its code scores the other way round, and gives what was never referred to a fixed .3 (here: the time since it came).
 */
import { batchPolicy } from "../batch-policy.ts";
import { findReferences } from "../references.ts";

export const lru = batchPolicy("lru", {
	createScore(scene) {
		const references = findReferences(scene);
		return (candidate) => -references.idle(candidate);
	},
});
