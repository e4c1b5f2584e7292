/**
 * The default policy: batches (`batch-policy.ts`), scored by what a call shows that nothing else shows, by how recently
 * it mattered, and by what can give it back (`scoring.ts`). It departs from Algorithm 1 in that acts do not come
 * before expls, nor marked content before unmarked: the score weighs both.
 */

import { countRegrets } from "../../health/regret.ts";
import { batchPolicy } from "../batch-policy.ts";
import type { Scene, Score } from "../candidates.ts";
import { measureFreshness } from "../freshness.ts";
import { createUnitScore, scoreWords } from "../scoring.ts";

export const cwl = batchPolicy("cwl", { createScore: createEvidenceScore });

function createEvidenceScore({ input, sight, time }: Scene): Score {
	const { graph, view, tools, canRestore } = input;
	const freshness = measureFreshness(sight.units, graph.history.contents().sightings);
	const regrets = countRegrets(graph, view);
	const score = createUnitScore({ graph, tools, time, freshness, regrets, canRestore });
	return (candidate) =>
		candidate.type === "output"
			? score(candidate.unit)
			: scoreWords(time, candidate.message, candidate.tokens);
}
