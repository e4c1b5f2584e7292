/**
 * Hybrid of seed 002 (section 3, policy 6): .30 recency, .25 priority, .20 life left by type, .15 references, .10 for
 * what no other output shows. These are the weights of its prose and of its configuration; its code has others, and no
 * term for duplicates.
 */
import { batchPolicy } from "../batch-policy.ts";
import { requestsSince, type Scene, type Score } from "../candidates.ts";
import { findReferences } from "../references.ts";
import { findTwins } from "../similarity.ts";
import { createPriority, reuse } from "./priority.ts";
import { createLifeLeft } from "./type-based.ts";

const weights = { recency: 0.3, priority: 0.25, life: 0.2, references: 0.15, unique: 0.1 };
/** Requests after which recency has fallen to 1/e (`FIFOScorer`). */
const RECENCY = 10;

export const hybrid = batchPolicy("hybrid", { createScore: createHybrid });

/** Between 0 and 1. */
export function createHybrid(scene: Scene): Score {
	const references = findReferences(scene);
	const priority = createPriority(scene, references);
	const lifeLeft = createLifeLeft(scene);
	const ageOf = requestsSince(scene.input.graph);
	const twins = findTwins(scene);
	return (candidate) => {
		const twin = candidate.type === "output" ? twins.get(candidate.unit.call) : undefined;
		return (
			weights.recency * Math.exp(-ageOf(candidate.message) / RECENCY) +
			weights.priority * priority(candidate) +
			weights.life * lifeLeft(candidate) +
			weights.references * reuse(references, candidate) +
			weights.unique * (1 - (twin?.similarity ?? 0))
		);
	};
}
