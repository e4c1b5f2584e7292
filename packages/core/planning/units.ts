/**
 * The visible part of a session as units (a call with its result, which leave together by design rule 2), and the
 * candidates that a policy puts in order.
 */
import { append, sum } from "#basics";
import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode, Graph } from "../graph/graph.ts";
import type { Timeline } from "../graph/history.ts";
import { sentSizes } from "../ledger/ledger.ts";
import type { View } from "../log/view.ts";
import { type IsRemoved, removedBy } from "../log/whole-calls.ts";
import {
	type Item,
	type ItemId,
	sumTokens,
	type ToolCall,
	type ToolResult,
} from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

export interface Unit {
	readonly episode: Episode;
	readonly call: ToolCall;
	readonly result: ToolResult | undefined;
	/** The call, which stands for its result, and further results that answer it: providers refuse them without it. */
	readonly items: readonly Item[];
	/** Size of the items and the result as they are sent, in tokens. */
	readonly tokens: number;
	/** Index of the message that the call came with. */
	readonly message: number;
	/** False for the delimiter's calls and for failed ones: they stay as long as their episode. */
	readonly isWork: boolean;
}

/** The visible part of the episodes that are not wholly evicted, the exchange in progress included. */
export type VisibleUnits = ReturnType<typeof collectUnits>;

/** Looks over the given episodes, oldest first. Linear in their items. */
export function collectUnits(graph: Graph, view: View, episodes: readonly Episode[]) {
	const gone = removedBy(graph, view.removed);
	const sizeOf = sentSizes(graph, view);
	const repeats = findRepeats(graph, episodes, gone);
	const units = new Map<Episode, Unit[]>();
	const rest = new Map<Episode, Item[]>();
	function makeUnit(episode: Episode, call: ToolCall): Unit {
		const { message, tool } = call;
		const result = graph.resultOf.get(call.id);
		const items = [call, ...(repeats.get(call.id) ?? [])];
		const tokens = sum(items, sizeOf) + (result ? sizeOf(result) : 0);
		const isWork = tool !== DELIMITER && result?.isError !== true;
		return { episode, call, result, items, tokens, message, isWork };
	}
	for (const episode of episodes) {
		for (const item of episode.items) {
			if (item.type === "user" || gone(item) || graph.callOf.has(item.id)) continue;
			if (item.type === "call") append(units, episode, makeUnit(episode, item));
			else append(rest, episode, item);
		}
	}
	const all: readonly Unit[] = [...units.values()].flat();
	return {
		episodes,
		/** Episode by episode, each in the order of the session. */
		units: all,
		unitsOf: (episode: Episode): readonly Unit[] => units.get(episode) ?? [],
		/** Items that are not part of a unit: reasoning, texts, notes, results that answer nothing. */
		restOf: (episode: Episode): readonly Item[] => rest.get(episode) ?? [],
	};
}

/** Returns a lookup: the episode of an item that is part of no unit. An item of an episode that is not visible, such as a pinned one, is searched for. */
export function episodeByItem(
	{ episodes }: Graph,
	visible: VisibleUnits,
): (item: Item) => Episode | undefined {
	const episodeByItemId = new Map<Item, Episode>();
	for (const episode of visible.episodes) {
		for (const item of visible.restOf(episode)) episodeByItemId.set(item, episode);
	}
	return (item) => episodeByItemId.get(item) ?? episodes.find(({ items }) => items.includes(item));
}

/** Returns true if a pass may take a unit, given which items it may take. */
export function isEvictableUnit({ result, items }: Unit, isEvictable: (item: Item) => boolean): boolean {
	return items.every(isEvictable) && (!result || isEvictable(result));
}

/** Results that came twice, by the id of the call that they answer. */
function findRepeats({ repeatOf }: Graph, episodes: readonly Episode[], gone: IsRemoved) {
	const repeats = new Map<ItemId, Item[]>();
	for (const item of episodes.flatMap(({ items }) => items)) {
		const call = repeatOf.get(item.id);
		if (call !== undefined && !gone(item)) append(repeats, call, item);
	}
	return repeats;
}

/** Words that leave together: those of an answer, or all of an episode that has no call which worked. */
export interface Words extends Pick<Unit, "episode" | "items" | "tokens"> {
	/** Index of their last message. */
	readonly message: number;
	readonly call?: undefined;
	readonly result?: undefined;
}

/** A policy scores these. */
export type Candidate = Unit | Words;

/** The episodes of words alone, each as one candidate: answers, notes, and what is left of work whose calls are gone. */
export function episodesOfWords(visible: VisibleUnits): readonly Words[] {
	return visible.episodes
		.filter((episode) => !visible.unitsOf(episode).some((unit) => unit.isWork))
		.map((episode) => {
			const items = visible.restOf(episode);
			const message = episode.items.at(-1)?.message ?? 0;
			return { episode, items, message, tokens: sumTokens(items) };
		});
}

/** The context of one pass, as far as scores depend on it. */
export interface Scene {
	readonly input: PlanInput;
	readonly visible: VisibleUnits;
	readonly time: Timeline;
}

/** The lowest score is evicted first. */
export type Score = (candidate: Candidate) => number;
export type CreateScore = (scene: Scene) => Score;

/** Answers of the model since a message. */
export function requestsSince({ messages }: Graph): (message: number) => number {
	let requests = 0;
	const before = messages.map(({ author }) => {
		if (author === "model") requests += 1;
		return requests;
	});
	return (message) => requests - (before[message] ?? 0);
}
