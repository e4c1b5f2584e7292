/**
 * Hybrid of seed 002 (section 3, policy 6): .30 recency, .25 priority, .20 life left by type, .15 references, .10 for
 * what no other block shows. These are the weights of its prose and of its configuration; its code has others, and no
 * term for duplicates.
 */
import { LOW_WATER, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";
import { createPriority, reuse } from "./priority.ts";
import { createReferences } from "./references.ts";
import { similarToYounger } from "./similarity.ts";
import { lifeLeft } from "./type.ts";

const weights = { recency: 0.3, priority: 0.25, life: 0.2, references: 0.15, unique: 0.1 };
/** Requests after which recency has fallen to 1/e (`FIFOScorer`). */
const RECENCY = 10;

export const hybrid = defineKind("hybrid", { low: LOW_WATER }, (name, { low }) =>
	scoringPolicy(name, low, (texts) => {
		const references = createReferences(texts);
		const priority = createPriority(texts, references);
		return (moment) => {
			const priorities = priority(moment);
			const similarities = similarToYounger(moment, texts);
			return moment.blocks.map(
				(block, i) =>
					weights.recency * Math.exp(-block.age / RECENCY) +
					weights.priority * (priorities[i] ?? 0) +
					weights.life * lifeLeft(block) +
					weights.references * reuse(references, block) +
					weights.unique * (1 - (similarities[i] ?? 0)),
			);
		};
	}),
);
