/**
 * The six policies of seed 002 (section 3). All run on the engine's batches (`batch-policy.ts`) and depart from the seed in
 * the same way: user turns, the prologue, open episodes and failed calls stay, thinking leaves first, a call leaves with
 * its result, and the pass begins at the budget and stops at low water. Scores other than ages lie between 0 and 1.
 */

import { append, nameText, quoteStart } from "#basics";
import type { Episode } from "../graph/graph.ts";
import { batchPolicy } from "../planning/batch-policy.ts";
import type { Eviction } from "../planning/eviction.ts";
import { findReferences, findTwins, type References, textOf } from "../planning/item-texts.ts";
import type { PlanInput } from "../planning/policy.ts";
import { type Candidate, requestsSince, type Scene, type Score, type Unit } from "../planning/units.ts";
import { digestOf } from "../transcript/transcript.ts";

export const fifo = batchPolicy("fifo", {
	createScore:
		() =>
		({ message }) =>
			message,
});

const lru = batchPolicy("lru", {
	createScore(scene) {
		const references = findReferences(scene);
		return (candidate) => -references.idle(candidate);
	},
});

const priorityWeights = { recency: 0.3, relevance: 0.25, source: 0.2, reuse: 0.15 };
/** Requests after which recency has fallen to 1/e. */
const PRIORITY_RECENCY = 15;
const WORDS_WORTH = 0.5;
const OUTPUT_WORTH = 0.3;
/** References after which more of them add nothing. */
const MAX_REFERENCES = 5;

const priority = batchPolicy("priority", {
	createScore: (scene) => createPriority(scene, findReferences(scene)),
});

/** Between 0 and 1. */
export function createPriority(scene: Scene, references: References): Score {
	const ageOf = requestsSince(scene.input.graph);
	const relevance = createRelevance(scene);
	return (candidate) =>
		priorityWeights.recency * Math.exp(-ageOf(candidate.message) / PRIORITY_RECENCY) +
		priorityWeights.relevance * relevance(candidate) +
		priorityWeights.source * (candidate.call ? OUTPUT_WORTH : WORDS_WORTH) +
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
	return ({ items, result }) => {
		if (asked.length === 0) return 0;
		const texts = [...items, ...(result ? [result] : [])].map((item) => textOf(input, item));
		const text = texts.join("\n").toLowerCase();
		return asked.filter((word) => text.includes(word)).length / asked.length;
	};
}

/** The unit is requests. */
const OUTPUT_LIFE = 8;
const WORDS_LIFE = 30;

const type = batchPolicy("type", { createScore: createLifeLeft });

/** Between 0 and 1. */
export function createLifeLeft({ input }: Scene): Score {
	const ageOf = requestsSince(input.graph);
	return ({ call, message }) => Math.max(0, 1 - ageOf(message) / (call ? OUTPUT_LIFE : WORDS_LIFE));
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
		const twin = candidate.call && twins.get(candidate.call);
		return (
			hybridWeights.recency * Math.exp(-ageOf(candidate.message) / HYBRID_RECENCY) +
			hybridWeights.priority * priority(candidate) +
			hybridWeights.life * lifeLeft(candidate) +
			hybridWeights.references * reuse(references, candidate) +
			hybridWeights.unique * (1 - (twin?.similarity ?? 0))
		);
	};
}

/** The similarity from which two outputs are one. */
const ALIKE = 0.85;

/**
 * Semantic merge (policy 4), with no model: of outputs that are alike the youngest is kept for all,
 * and a line at the place of each older one says which copy stays and which lines differ, so that one copy and a diff
 * remain of both; recall gives back the exact bytes. Then the lowest priority goes, as the seed recommends. Alike is a
 * Jaccard similarity of four-word shingles of .85 and more, where the seed takes the cosine of embeddings.
 */
export const semanticMerge = batchPolicy("semantic-merge", {
	createScore(scene) {
		const priority = createPriority(scene, findReferences(scene));
		const twins = findTwins(scene);
		return (candidate) => {
			const twin = candidate.call && twins.get(candidate.call);
			// Priorities lie between 0 and 1.
			return priority(candidate) - Number(twin !== undefined && twin.similarity >= ALIKE);
		};
	},
	addLines: mergeLines,
});

/** More merged outputs of one episode are counted instead of named. */
const MAX_NAMED = 6;
/** More changed lines than these are counted; each is shown up to so many characters. */
const MAX_CHANGED = 6;
const MAX_LINE_LENGTH = 100;
/** The unit is characters. */
const MAX_NAME_LENGTH = 60;

/** An output that was evicted, and the younger one that stays for it. */
interface Merge {
	readonly gone: Unit;
	readonly stays: Unit;
}

/**
 * Sets one line for each episode that lost outputs to younger ones, in front of its own line if it left altogether, where
 * that costs less than what left and fits the budget.
 */
function mergeLines(scene: Scene, eviction: Eviction): void {
	const { input } = scene;
	for (const [episode, merges] of findMerges(scene, eviction)) {
		const [first] = merges;
		if (!first) continue;
		const own = eviction.markerOf(episode.id);
		const isEvicted = eviction.isEvicted(episode.id);
		// The line of a partly evicted episode stays as it is until the episode leaves.
		if (isEvicted ? !own : input.view.episodes.get(episode.id)?.marker) continue;
		const line = lineText(input, merges);
		const text = own && isEvicted ? `[${line}] ${own.text}` : `[${line}; recall ${name(episode.name)}]`;
		const tokens = input.countMarker(text);
		const added = tokens - (own?.tokens ?? 0);
		if (tokens >= eviction.freedBy(episode, []) || eviction.total() + added > input.budget) continue;
		eviction.mark(episode, { anchor: own?.anchor ?? first.gone.call.id, text, tokens });
	}
}

function findMerges(scene: Scene, eviction: Eviction): ReadonlyMap<Episode, readonly Merge[]> {
	const twins = findTwins(scene);
	const merges = new Map<Episode, Merge[]>();
	for (const gone of scene.visible.units) {
		if (!eviction.gone(gone.call)) continue;
		let twin = twins.get(gone.call);
		// The copy that stays for a copy stays for both.
		while (twin && twin.similarity >= ALIKE && eviction.gone(twin.unit.call))
			twin = twins.get(twin.unit.call);
		if (!twin || twin.similarity < ALIKE) continue;
		append(merges, gone.episode, { gone, stays: twin.unit });
	}
	return merges;
}

function lineText(input: PlanInput, merges: readonly Merge[]): string {
	const named = merges.slice(0, MAX_NAMED).map((merge) => mergeText(input, merge));
	const more = merges.length > named.length ? `; and ${merges.length - named.length} more` : "";
	return `merged into later outputs: ${named.join("; ")}${more}`;
}

function mergeText(input: PlanInput, { gone, stays }: Merge): string {
	const place = `${callText(stays)} of ${name(stays.episode.name)}`;
	const linesOf = ({ result }: Unit) => (result ? textOf(input, result).split("\n") : []);
	const changes = changedLines(linesOf(gone), linesOf(stays));
	if (changes.length === 0) return `${callText(gone)}, same as ${place}`;
	const shown = changes.slice(0, MAX_CHANGED).join(" ");
	const more = changes.length > MAX_CHANGED ? ` and ${changes.length - MAX_CHANGED} more` : "";
	return `${callText(gone)}, as ${place} but for ${shown}${more}`;
}

/** The lines that only the old text has, with a minus, then those that only the kept one has, with a plus. */
function changedLines(old: readonly string[], kept: readonly string[]): readonly string[] {
	const inOld = new Set(old);
	const inKept = new Set(kept);
	const shown = (sign: string, lines: readonly string[], others: ReadonlySet<string>) =>
		lines.filter((line) => !others.has(line)).map((line) => `${sign}${quoteStart(line, MAX_LINE_LENGTH)}`);
	return [...shown("-", old, inKept), ...shown("+", kept, inOld)];
}

function callText({ call }: Unit): string {
	const [path] = digestOf(call)?.paths ?? [];
	const [argument] = Object.values(call.arguments).filter((value) => typeof value === "string");
	const subject = path ?? argument;
	const tool = nameText(call.tool);
	return subject === undefined ? tool : `${tool} ${name(subject)}`;
}

function name(text: string): string {
	return quoteStart(text, MAX_NAME_LENGTH);
}

/** All six, in the order of the seed. */
export const seedPolicies = [fifo, lru, priority, type, semanticMerge, hybrid] as const;
