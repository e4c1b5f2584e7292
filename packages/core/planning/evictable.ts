/**
 * The content that a pass leaves alone: what providers refuse a request without, what the model has not answered yet, and
 * episodes that a person pinned. No policy decides this; Algorithm 1 knows no providers, so this layer adjusts it too.
 */
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import { leftOf } from "../ledger/ledger.ts";
import { retainedEpisodes } from "../log/view.ts";
import { type Item, type ItemId, isBlank } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

/**
 * Returns a test: true if a pass may take an item: nothing of the exchange in progress, nor what the open loop begins with, nor
 * a note right before it, without which it would begin earlier.
 */
export function evictableIn(graph: Graph): (item: Item) => boolean {
	const held = heldCalls(graph);
	const { lastExchange, openLoop } = graph;
	return ({ id, message }) => message < lastExchange && !held.has(id) && message !== openLoop - 1;
}

/**
 * Returns a test: true if an episode cannot leave whole: part of it is in the exchange in progress, or the open loop begins
 * in it.
 */
export function inProgressIn(graph: Graph): (episode: Episode) => boolean {
	const isEvictable = evictableIn(graph);
	const known = new Map<EpisodeId, boolean>();
	const isInProgress = ({ items }: Episode) => {
		const last = items.at(-1);
		if (last === undefined) return false;
		if (last.message >= graph.lastExchange) return true;
		// What is held belongs to the open loop, or stands right before it.
		if (last.message < graph.openLoop - 1) return false;
		return items.some((item) => !isEvictable(item));
	};
	return (episode) => {
		const answer = known.get(episode.id) ?? isInProgress(episode);
		known.set(episode.id, answer);
		return answer;
	};
}

/** The place after the first answer of the tool loop in progress that has results; before it there may be some that failed. */
function endOfLoopStart({ messages, openLoop, resultOf }: Graph): number {
	let end = openLoop;
	while (end < messages.length && !messages[end]?.items.some(({ id }) => resultOf.has(id))) end += 1;
	return end + 1;
}

/**
 * The calls that keep the beginning of the tool loop in progress in the context, where that begins with reasoning: a provider
 * that reasons refuses a loop that begins without. Of the calls of its first answer it is the one that is
 * smallest together with its result. An answer without results failed, and then the host sends nothing of it, or a crash lost
 * them, and then it does: so what follows it is held too.
 */
function heldCalls(graph: Graph): ReadonlySet<ItemId> {
	const held = new Set<ItemId>();
	const sizeOf = ({ id, tokens }: Item) => tokens + (graph.resultOf.get(id)?.tokens ?? 0);
	for (const { author, items } of graph.messages.slice(graph.openLoop, endOfLoopStart(graph))) {
		if (author !== "model" || items.find((item) => !isBlank(item))?.type !== "reasoning") continue;
		const calls = items.filter(({ type }) => type === "call");
		const answered = calls.filter(({ id }) => graph.resultOf.has(id));
		const [least] = (answered.length > 0 ? answered : calls).toSorted((a, b) => sizeOf(a) - sizeOf(b));
		if (least) held.add(least.id);
	}
	return held;
}

/** The first message of the n-th last user turn; 0 before that. */
export function turnsBack({ userMessages }: Pick<Graph, "userMessages">, turns: number): number {
	return userMessages.at(-turns)?.message ?? 0;
}

/** Returns true for an episode that is not over. A marked one is over as well once the turn before this one has added nothing to it: the model forgot to end it. */
export function isOpen(graph: Graph, { state, origin, items }: Episode): boolean {
	if (state !== "open") return false;
	return origin === "inferred" || (items.at(-1)?.message ?? 0) >= turnsBack(graph, 2);
}

/**
 * Returns true for work in hand: what an open episode holds of this turn and the one before. An unmarked run is in hand as a
 * whole until it is long, since its end may never come.
 */
export function isInHand(
	{ graph, budget }: Pick<PlanInput, "graph" | "budget">,
	episode: Episode,
	message: number,
): boolean {
	if (episode.state !== "open") return false;
	return episode.origin === "inferred" ? !isOversized(episode, budget) : message >= turnsBack(graph, 2);
}

/** More than this share of the budget. */
const MAX_SHARE = 0.2;

/**
 * Returns true if an episode exceeds its share of a budget in tokens. The model should then end it if it is open, and
 * a run that nobody marked is treated as if it had ended.
 */
export function isOversized({ tokens }: Episode, budget: number): boolean {
	return tokens > MAX_SHARE * budget;
}

/**
 * Measures the closed pinned episodes that something is left of, in tokens. `taken` holds the tokens that a pass in the making takes
 * from episodes: thinking can leave pinned ones too.
 */
export function pinnedTokens(
	{ graph, view, pinned = new Set() }: Pick<PlanInput, "graph" | "view" | "pinned">,
	taken: ReadonlyMap<EpisodeId, number> = new Map(),
) {
	let count = 0;
	let tokens = 0;
	let largest = { name: "", tokens: 0 };
	for (const episode of pinned.size > 0 ? retainedEpisodes(graph, view) : []) {
		const left = leftOf(episode, view) - (taken.get(episode.id) ?? 0);
		if (!pinned.has(episode.id) || left === 0 || episode.state === "open") continue;
		count += 1;
		tokens += left;
		if (left > largest.tokens) largest = { name: episode.name, tokens: left };
	}
	return { count, tokens, largest };
}
