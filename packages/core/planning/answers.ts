/**
 * The words of the model that are not worth their price. Those of an answer led to its calls and leave with the last of them; those that
 * closed an episode leave with the episode.
 */
import { append } from "#basics";
import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode, Graph } from "../graph/graph.ts";
import type { Item } from "../transcript/transcript.ts";
import type { Eviction } from "./eviction.ts";
import { isEvictableUnit, type Unit, type VisibleUnits, type Words } from "./units.ts";

/** The words of a session that may leave, without what is pinned. Linear in what is visible. */
export function readAnswers(
	graph: Graph,
	visible: VisibleUnits,
	isEvictable: (item: Item) => boolean,
	isWorthKeeping: (words: Words) => boolean,
) {
	const unitsIn = new Map<number, Unit[]>();
	for (const unit of visible.units) append(unitsIn, unit.call.message, unit);
	const wordsIn = new Map<number, Words[]>();
	/** Episodes that stay for the words that closed them. */
	const kept = new Set<Episode>();
	for (const episode of visible.episodes) {
		for (const item of visible.restOf(episode)) {
			const isSaid = item.type === "text" && graph.messages[item.message]?.author === "model";
			if (!isSaid || !isEvictable(item)) continue;
			const { message, tokens } = item;
			const words = { episode, items: [item], message, tokens };
			if (!isWorthKeeping(words)) append(wordsIn, message, words);
			else if (!unitsIn.has(message)) kept.add(episode);
		}
	}
	const shareOf = createShares(visible, unitsIn, wordsIn);
	return {
		/** Returns true for an episode that was closed by words which are worth keeping. */
		isKept: (episode: Episode) => kept.has(episode),
		/** Tokens of words that leave with a call; calls that share an answer or an episode share its words. */
		wordsFor: ({ call, episode }: Unit): number => shareOf(call.message) + shareOf(episode),
		/** Takes the words of these answers, and their refused marks, where no other call of the answer is left. */
		takeWords(eviction: Eviction, messages: Iterable<number>): void {
			for (const message of messages) {
				const left = (unitsIn.get(message) ?? []).filter(({ call }) => !eviction.gone(call));
				if (!left.every((unit) => isRefusedMark(unit) && isEvictableUnit(unit, isEvictable))) continue;
				const words = wordsIn.get(message) ?? [];
				for (const { episode, items } of [...words, ...left]) eviction.take(episode, items, 3);
			}
		},
	};
}

/** Answers, for an answer or an episode, its words divided by its calls; in tokens. */
function createShares(
	visible: VisibleUnits,
	unitsIn: ReadonlyMap<number, readonly Unit[]>,
	wordsIn: ReadonlyMap<number, readonly Words[]>,
): (owner: number | Episode) => number {
	const words = new Map<number | Episode, number>();
	for (const [message, said] of wordsIn) {
		for (const { episode, tokens } of said) {
			// An answer without a call closes its episode.
			const owner = unitsIn.has(message) ? message : episode;
			words.set(owner, (words.get(owner) ?? 0) + tokens);
		}
	}
	const calls = new Map<number | Episode, number>();
	for (const unit of visible.units) {
		if (isRefusedMark(unit)) continue;
		for (const owner of [unit.call.message, unit.episode]) calls.set(owner, (calls.get(owner) ?? 0) + 1);
	}
	return (owner) => (words.get(owner) ?? 0) / (calls.get(owner) ?? 1);
}

/** Returns true for a mark that had no effect: it says nothing of the work. */
function isRefusedMark({ call, result }: Unit): boolean {
	return call.tool === DELIMITER && result?.isError === true;
}
