/**
 * Five policies of seed 002 (section 3). All run on the engine's batches (`batch-policy.ts`) and depart from the seed in
 * the same way: user turns, the prologue, open episodes and failed calls stay, thinking leaves first, a call leaves with
 * its result, and the pass begins at the budget and stops at low water. Scores other than ages lie between 0 and 1.
 */
import { batchPolicy } from "../planning/batch-policy.ts";
import { findReferences, findTwins, type References, textOf } from "../planning/item-texts.ts";
import { type Candidate, itemsOf, requestsSince, type Scene, type Score } from "../planning/units.ts";

export const fifo = batchPolicy("fifo", {
	createScore:
		() =>
		({ message }) =>
			message,
});

export const lru = batchPolicy("lru", {
	createScore(scene) {
		const references = findReferences(scene);
		return (candidate) => -references.idle(candidate);
	},
});

const priorityWeights = { recency: 0.3, relevance: 0.25, source: 0.2, reuse: 0.15 };
/** Requests after which recency has fallen to 1/e. */
const PRIORITY_RECENCY = 15;
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
		priorityWeights.recency * Math.exp(-ageOf(candidate.message) / PRIORITY_RECENCY) +
		priorityWeights.relevance * relevance(candidate) +
		priorityWeights.source * sources[candidate.type] +
		priorityWeights.reuse * reuse(references, candidate);
}

/** Between 0 and 1. */
function reuse(references: References, candidate: Candidate): number {
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

const lives = { output: 8, words: 30 };

export const type = batchPolicy("type", { createScore: createLifeLeft });

/** Between 0 and 1. */
export function createLifeLeft({ input }: Scene): Score {
	const ageOf = requestsSince(input.graph);
	return ({ type, message }) => Math.max(0, 1 - ageOf(message) / lives[type]);
}

const hybridWeights = { recency: 0.3, priority: 0.25, life: 0.2, references: 0.15, unique: 0.1 };
/** Requests after which recency has fallen to 1/e (`FIFOScorer`). */
const HYBRID_RECENCY = 10;

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
			hybridWeights.recency * Math.exp(-ageOf(candidate.message) / HYBRID_RECENCY) +
			hybridWeights.priority * priority(candidate) +
			hybridWeights.life * lifeLeft(candidate) +
			hybridWeights.references * reuse(references, candidate) +
			hybridWeights.unique * (1 - (twin?.similarity ?? 0))
		);
	};
}
