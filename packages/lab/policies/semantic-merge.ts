/**
 * Semantic merge of seed 002 (section 3, policy 4), with no model: of blocks that are alike the youngest stands for all,
 * and then the lowest priority goes, as the seed recommends. Alike is a Jaccard similarity of four-word shingles of .85
 * and more, where the seed takes the cosine of embeddings and has a model write the merged text.
 */
import { LOW_WATER, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";
import { createPriority } from "./priority.ts";
import { createReferences } from "./references.ts";
import { similarToYounger } from "./similarity.ts";

/** `alike`: the similarity from which two blocks are one. */
export const semanticMerge = defineKind(
	"semantic-merge",
	{ low: LOW_WATER, alike: 0.85 },
	(name, { low, alike }) =>
		scoringPolicy(name, low, (texts) => {
			const priority = createPriority(texts, createReferences(texts));
			return (moment) => {
				const similarities = similarToYounger(moment, texts);
				return priority(moment).map((score, i) => ((similarities[i] ?? 0) >= alike ? score - 1 : score));
			};
		}),
);
