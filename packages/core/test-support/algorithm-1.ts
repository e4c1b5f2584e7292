/**
 * Algorithm 1 of the paper, line by line, slow and naive: candidates anew in each iteration, every count from scratch.
 * Beyond the pseudocode stand only the conditions that `paper` declares.
 */
import { type Episode, type Graph, rankOf } from "../graph/graph.ts";
import { quote } from "../projection/quote.ts";
import { type Item, type ItemId, isBlank } from "../transcript/transcript.ts";
import { levelOf } from "./inspection.ts";
import { countMarker, type Settings } from "./simulation.ts";

/** The content that has been evicted so far in a session. */
export interface Evicted {
	readonly items: Set<ItemId>;
	/** Episodes that are fully evicted, with the tokens of the line that stays for them. */
	readonly episodes: Map<string, number>;
}

export interface Outcome {
	readonly total: number;
	readonly isBlocked: boolean;
}

export function runAlgorithm1(graph: Graph, evicted: Evicted, settings: Settings): Outcome {
	const { budget } = settings;
	const setAside = new Set<string>();
	let taken = evicted.items.size;
	while (countTokens(graph, evicted, settings) > budget) {
		const candidates = graph.episodes.filter(
			(episode) => isCandidate(graph, evicted, episode) && !setAside.has(episode.id),
		);
		const target = oldest(graph, candidates);
		if (!target) {
			// Reasoning that providers wanted kept may lead nowhere by now: another round, until one finds nothing.
			if (evicted.items.size === taken)
				return { total: countTokens(graph, evicted, settings), isBlocked: true };
			taken = evicted.items.size;
			setAside.clear();
			continue;
		}
		for (const level of [1, 2, 3, 4] as const) {
			if (level === 1 && rankOf(graph, target) === "act") continue;
			// An episode that reaches into the exchange in progress keeps level 4 for later.
			if (level === 4 && reachesIntoExchange(graph, target)) continue;
			if (level === 4) removeEpisode(graph, evicted, target, settings);
			else stripLevel(graph, evicted, target, level);
			const total = countTokens(graph, evicted, settings);
			if (total <= budget) return { total, isBlocked: false };
		}
		setAside.add(target.id);
	}
	return { total: countTokens(graph, evicted, settings), isBlocked: false };
}

function isCandidate(graph: Graph, evicted: Evicted, episode: Episode): boolean {
	const dependents = graph.episodes.filter((other) => other.dependencies.includes(episode.id));
	return (
		episode.state === "closed" &&
		!isUsedUp(evicted, episode) &&
		dependents.every((dependent) => evicted.episodes.has(dependent.id))
	);
}

/** A removed episode may have left reasoning behind, which the tool loop in progress wanted kept. */
function isUsedUp(evicted: Evicted, episode: Episode): boolean {
	return evicted.episodes.has(episode.id) && episode.items.every((item) => evicted.items.has(item.id));
}

/** The oldest act, or the oldest expl if there is none; what nobody marked ranks last. */
function oldest(graph: Graph, candidates: readonly Episode[]): Episode | undefined {
	for (const rank of ["act", "expl", "unannotated"]) {
		const found = candidates.find((episode) => rankOf(graph, episode) === rank);
		if (found) return found;
	}
	return undefined;
}

function reachesIntoExchange(graph: Graph, episode: Episode): boolean {
	const held = loopCalls(graph);
	return episode.items.some(
		(item) => item.message >= graph.lastExchange || held.includes(item) || isBeforeLoop(graph, item),
	);
}

/** A note that the tool loop in progress follows: the loop would begin earlier without it. */
function isBeforeLoop({ openLoop }: Graph, { type, message }: Item): boolean {
	return type === "note" && message === openLoop - 1;
}

/**
 * A tool loop in progress that begins with reasoning keeps the least of the calls that it led to; of answers before the
 * first that has results too, since the host may send them.
 */
function loopCalls({ messages, openLoop, resultOf }: Graph): readonly Item[] {
	const answers = messages.slice(openLoop).filter(({ author }) => author === "model");
	const first = answers.findIndex(({ items }) => items.some(({ id }) => resultOf.has(id)));
	const size = (item: Item) => item.tokens + (resultOf.get(item.id)?.tokens ?? 0);
	return answers.slice(0, first < 0 ? undefined : first + 1).flatMap(({ items }) => {
		const answered = items.filter(({ id }) => resultOf.has(id));
		const calls = answered.length > 0 ? answered : items.filter(({ type }) => type === "call");
		const least = calls.find((call) => calls.every((other) => size(call) <= size(other)));
		return least && items.find((item) => !isBlank(item))?.type === "reasoning" ? [least] : [];
	});
}

function stripLevel(graph: Graph, evicted: Evicted, episode: Episode, level: 1 | 2 | 3 | 4) {
	for (const item of episode.items) {
		if (level < 4 && levelOf(graph, episode, item) !== level) continue;
		// The tool loop in progress keeps its reasoning.
		if (item.type === "reasoning" && item.message >= graph.openLoop) continue;
		const call = episode.items.find((other) => other.id === graph.callOf.get(item.id)) ?? item;
		if (call.message < graph.lastExchange && !loopCalls(graph).includes(call) && !isBeforeLoop(graph, call))
			evicted.items.add(item.id);
	}
	for (const item of episode.items) {
		const blocks = graph.messages[item.message]?.items ?? [];
		const isPast = item.message < graph.lastExchange;
		if (isPast && leadsToNothing(item, blocks.slice(blocks.indexOf(item) + 1), evicted))
			evicted.items.add(item.id);
	}
}

/** Reasoning orphaned by a strip leaves with it: all that followed it, up to the next reasoning, is gone. */
function leadsToNothing(item: Item, blocks: readonly Item[], evicted: Evicted): boolean {
	if (item.type !== "reasoning") return false;
	const following = blocks.filter((other) => !isBlank(other));
	const first = following.findIndex((other) => other.type !== "reasoning");
	const rest = first < 0 ? [] : following.slice(first);
	const next = rest.findIndex((other) => other.type === "reasoning");
	const led = rest.slice(0, next < 0 ? rest.length : next);
	return led.length > 0 && led.every((other) => evicted.items.has(other.id));
}

/** An expl whose removal would save nothing stays. */
function removeEpisode(graph: Graph, evicted: Evicted, episode: Episode, settings: Settings) {
	const before = countTokens(graph, evicted, settings);
	const items = new Set(evicted.items);
	const kept = evicted.episodes.get(episode.id);
	const line = kept === undefined ? lineTokens(episode) : 0;
	stripLevel(graph, { ...evicted, items }, episode, 4);
	const after = countTokens(graph, { ...evicted, items }, settings) + line;
	if (line > 0 && after >= before) return;
	for (const id of items) evicted.items.add(id);
	evicted.episodes.set(episode.id, kept ?? line);
}

/** Tokens of the line that a removed episode leaves; only a description is kept (paper 4.2). */
export function lineTokens({ name, description }: Episode): number {
	return description === undefined ? 0 : countMarker(`[expl ${quote(name)}, evicted] ${quote(description)}`);
}

function countTokens(graph: Graph, evicted: Evicted, { fixed }: Settings): number {
	let tokens = fixed.system + fixed.tools;
	for (const { items } of graph.messages) {
		for (const item of items) if (!evicted.items.has(item.id)) tokens += item.tokens;
	}
	for (const line of evicted.episodes.values()) tokens += line;
	return tokens;
}
