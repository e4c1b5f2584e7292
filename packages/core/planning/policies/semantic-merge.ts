/**
 * Semantic merge of seed 002 (section 3, policy 4), with no model: of outputs that are alike the youngest stands for all,
 * and a line at the place of each older one says which copy stays and which lines differ, so that one copy and a diff
 * remain of both; recall gives back the exact bytes. Then the lowest priority goes, as the seed recommends. Alike is a
 * Jaccard similarity of four-word shingles of .85 and more, where the seed takes the cosine of embeddings.
 */
import { batchPolicy } from "../batch-policy.ts";
import { mergeLines } from "../merge-lines.ts";
import { findReferences } from "../references.ts";
import { findTwins } from "../similarity.ts";
import { createPriority } from "./priority.ts";

/** The similarity from which two outputs are one. */
const ALIKE = 0.85;

export const semanticMerge = batchPolicy("semantic-merge", {
	createScore(scene) {
		const priority = createPriority(scene, findReferences(scene));
		const twins = findTwins(scene);
		return (candidate) => {
			const twin = candidate.type === "output" ? twins.get(candidate.unit.call) : undefined;
			// Priorities lie between 0 and 1.
			return priority(candidate) - Number(twin !== undefined && twin.similarity >= ALIKE);
		};
	},
	addLines: (scene, eviction) => mergeLines(scene, eviction, ALIKE),
});
