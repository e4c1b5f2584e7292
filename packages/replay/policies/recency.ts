/**
 * Truncation: the oldest exchanges leave first, whole. `recency` stops as soon as the budget is met, which is what
 * sliding windows do (trimming of history in OpenAI's Agents SDK cookbook, `trim_messages` of LangChain);
 * `recency-low` goes down to a low water in one batch. User turns and the prologue stay, as the engine's rules demand.
 */
import type { Graph } from "#core/graph";
import { totalTokens } from "#core/ledger";
import { type IsRemoved, removedBy, type Strip } from "#core/log";
import { evictableIn, makePass, type Policy, tokensWithResults } from "#core/planning";
import type { Item } from "#core/transcript";
import { enginePolicy } from "./engine.ts";
import { defineKind } from "./knobs.ts";

/** `low`: the share of the budget that a pass goes down to. */
export const recency = defineKind("recency", { low: 1 }, (name, { low }) =>
	enginePolicy(name, () => createRecency(name, low)),
);
export const recencyLow = defineKind("recency-low", { low: 0.7 }, (name, { low }) =>
	enginePolicy(name, () => createRecency(name, low)),
);

function createRecency(name: string, lowWater: number): Policy {
	return {
		name,
		plan(input) {
			const { graph, view, fixed, budget } = input;
			const before = totalTokens(graph, view, fixed);
			if (before <= budget) return undefined;
			const gone = removedBy(graph, (id) => view.removed.has(id));
			const taken: Item[] = [];
			let total = before;
			for (const items of exchanges(graph, gone)) {
				if (total <= lowWater * budget) break;
				taken.push(...items);
				total -= tokensWithResults(graph, items);
			}
			return makePass(name, input, before, total, stripsOf(graph, taken, gone));
		},
	};
}

/**
 * The evictable items of each message, oldest first. A call stands for its result, so results leave with their calls.
 */
function* exchanges(graph: Graph, gone: IsRemoved): Generator<readonly Item[]> {
	const prologue = new Set(graph.prologue);
	const isEvictable = evictableIn(graph);
	for (const { items } of graph.messages.slice(0, Math.max(0, graph.lastExchange))) {
		const left = items.filter((item) => item.type !== "user" && !prologue.has(item) && !gone(item));
		// The reasoning of an answer goes with the last of it.
		const isPart = left.some((item) => !isEvictable(item));
		const leaving = left.filter((item) => {
			if (!isEvictable(item) || (item.type === "reasoning" && isPart)) return false;
			return item.type !== "result" || !graph.callOf.has(item.id);
		});
		if (leaving.length > 0) yield leaving;
	}
}

/** One strip for each episode that something was taken from; level 4 once nothing of it is left. */
function stripsOf(graph: Graph, taken: readonly Item[], gone: IsRemoved): readonly Strip[] {
	const takenIds = new Set(taken.map(({ id }) => id));
	const isTaken = removedBy(graph, (id) => takenIds.has(id));
	const strips: Strip[] = [];
	for (const episode of graph.episodes) {
		const items = episode.items.filter(({ id }) => takenIds.has(id));
		if (items.length === 0) continue;
		const isEmpty = episode.items.every((item) => gone(item) || isTaken(item));
		const tokens = tokensWithResults(graph, items);
		strips.push({ episode: episode.id, level: isEmpty ? 4 : 3, items: items.map(({ id }) => id), tokens });
	}
	return strips;
}
