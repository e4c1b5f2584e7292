/**
 * Priority of seed 002 (section 3, policy 3, `PriorityScorer`): recency .30, relevance to the task .25, kind of source
 * .20, reuse .15, explicit marks .10. Without a model relevance is lexical: the share of the words of the last user turn
 * that the candidate holds. A mark weighs more than .10 here: what the model marked to keep is evicted last.
 */
import { batchPolicy } from "../batch-policy.ts";
import { type Candidate, itemsOf, requestsSince, type Scene, type Score } from "../candidates.ts";
import { textOf } from "../item-texts.ts";
import { findReferences, type References } from "../references.ts";

const weights = { recency: 0.3, relevance: 0.25, source: 0.2, reuse: 0.15 };
/** Requests after which recency has fallen to 1/e. */
const RECENCY = 15;
const sources = { words: 0.5, output: 0.3 };
/** References after which more of them add nothing. */
const MAX_REFERENCES = 5;

export const priority = batchPolicy("priority", {
	createScore: (scene) => createPriority(scene, findReferences(scene)),
});

/** Between 0 and 1. */
export function createPriority(scene: Scene, references: References): Score {
	const ageOf = requestsSince(scene.input.graph);
	const relevance = createRelevance(scene);
	return (candidate) =>
		weights.recency * Math.exp(-ageOf(candidate.message) / RECENCY) +
		weights.relevance * relevance(candidate) +
		weights.source * sources[candidate.type] +
		weights.reuse * reuse(references, candidate);
}

/** Between 0 and 1. */
export function reuse(references: References, candidate: Candidate): number {
	return Math.min(references.count(candidate) / MAX_REFERENCES, 1);
}

/** Shorter words say little of a task; in letters. */
const MIN_WORD_LENGTH = 4;
/** Words of a task that are looked for: a pasted text is no task. */
const MAX_WORDS = 40;

function createRelevance({ input }: Scene): Score {
	const { graph } = input;
	const task = graph.userMessages.at(-1) ?? graph.prologue.findLast(({ type }) => type === "user");
	const words = task ? (textOf(input, task).toLowerCase().match(/\w+/g) ?? []) : [];
	const asked = [...new Set(words.filter(({ length }) => length >= MIN_WORD_LENGTH))].slice(0, MAX_WORDS);
	return (candidate) => {
		if (asked.length === 0) return 0;
		const text = itemsOf(candidate)
			.map((item) => textOf(input, item))
			.join("\n")
			.toLowerCase();
		return asked.filter((word) => text.includes(word)).length / asked.length;
	};
}
