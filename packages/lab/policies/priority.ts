/**
 * Priority of seed 002 (section 3, policy 3, `PriorityScorer`): recency .30, relevance to the task .25, kind of source
 * .20, reuse .15, explicit marks .10. Without a model relevance is lexical: the share of the words of the last user turn
 * that the block holds. Nobody marks anything in a recording.
 */
import type { Graph } from "#core";
import { type Block, LOW_WATER, type Moment, type Scorer, scoringPolicy } from "./blocks.ts";
import { defineKind } from "./knobs.ts";
import { createReferences, type References } from "./references.ts";
import type { SessionTexts } from "./session-texts.ts";

const weights = { recency: 0.3, relevance: 0.25, source: 0.2, reuse: 0.15 };
/** Requests after which recency has fallen to 1/e. */
const RECENCY = 15;
const sources = { reply: 0.5, thinking: 0.5, output: 0.3 };
/** References after which more of them add nothing. */
const MAX_REFERENCES = 5;

export const priority = defineKind("priority", { low: LOW_WATER }, (name, { low }) =>
	scoringPolicy(name, low, (texts) => {
		const references = createReferences(texts);
		return createPriority(texts, references);
	}),
);

/** Between 0 and 1; the references are read on as it is asked. */
export function createPriority(texts: SessionTexts, references: References): Scorer {
	return (moment: Moment) => {
		references.follow(moment.graph);
		const isAsked = createRelevance(moment.graph, texts);
		return moment.blocks.map(
			(block) =>
				weights.recency * Math.exp(-block.age / RECENCY) +
				weights.relevance * isAsked(block) +
				weights.source * sources[block.type] +
				weights.reuse * reuse(references, block),
		);
	};
}

export function reuse(references: References, block: Block): number {
	return Math.min(references.count(block) / MAX_REFERENCES, 1);
}

/** Shorter words say little of a task; in letters. */
const MIN_WORD_LENGTH = 4;
/** Words of a task that are looked for: a pasted text is no task. */
const MAX_WORDS = 40;

function createRelevance(graph: Graph, texts: SessionTexts): (block: Block) => number {
	const task = graph.userMessages.at(-1) ?? graph.prologue.findLast(({ type }) => type === "user");
	const words = task ? (texts.textOf(graph, task).toLowerCase().match(/\w+/g) ?? []) : [];
	const asked = [...new Set(words.filter(({ length }) => length >= MIN_WORD_LENGTH))].slice(0, MAX_WORDS);
	return (block) => {
		if (asked.length === 0) return 0;
		const text = block.text().toLowerCase();
		return asked.filter((word) => text.includes(word)).length / asked.length;
	};
}
