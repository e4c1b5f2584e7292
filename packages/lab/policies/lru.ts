/**
 * LRU of seed 002 (section 3, policy 2): what replies have not referred to for longest goes first. Its prose says so;
 * its code scores the other way round, and gives what was never referred to a fixed .3 (here: the time since it came).
 */
import { LOW_WATER, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";
import { createReferences } from "./references.ts";

export const lru = defineKind("lru", { low: LOW_WATER }, (name, { low }) =>
	scoringPolicy(name, low, (texts) => {
		const references = createReferences(texts);
		return ({ graph, blocks }) => {
			references.follow(graph);
			return blocks.map((block) => -references.idle(block));
		};
	}),
);
