/** The working state of the fold from messages to episode graph. */
import type { EpisodeKind, ProtocolState } from "../annotation/delimiter.ts";
import { createHistory, type GrowingHistory } from "../history/history.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { Item, ItemId, ToolCall, ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import { recordOf } from "./evicted-episode.ts";
import type { Exchange } from "./exchange.ts";
import type { Episode, EpisodeId, EvictedEpisode, Extent, Graph } from "./graph.ts";

export type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

type Kept = "extent" | "resultOf" | "callOf" | "protocol" | "episodes" | "evicted" | "builtUpon" | "history";

export interface GrowingGraph<E extends Extent = Extent> extends Growing<Omit<Graph, Kept>> {
	readonly extent: E;
	readonly history: GrowingHistory;
	episodes: Growing<Episode>[];
	evicted: Map<EpisodeId, EvictedEpisode>;
	builtUpon: Set<EpisodeId>;
	resultOf: Map<ItemId, ToolResult>;
	callOf: Map<ItemId, ItemId>;
	protocol: ProtocolState;
}

/** A call and the episode that it belongs to. */
interface PlacedCall {
	readonly call: ToolCall;
	readonly episode: Growing<Episode>;
}

export interface FoldState<E extends Extent = Extent> {
	readonly tools: ToolTable;
	readonly graph: GrowingGraph<E>;
	/** The last call of each call id. */
	readonly placedCalls: Map<string, PlacedCall>;
	/** The kind of every episode that the model declared, by name. */
	readonly kinds: Map<string, EpisodeKind>;
	/** Names of all episodes. */
	readonly names: Set<string>;
	/** For each message that is partly in evicted episodes, the number of items that are. */
	readonly evictedItemCounts: Map<number, number>;
	declared: Growing<Episode> | undefined;
	inferred: Growing<Episode> | undefined;
	exchange: Exchange | undefined;
	turns: number;
	needsRebuild: boolean;
}

export function createState<E extends Extent>(tools: ToolTable, extent: E): FoldState<E> {
	const kinds = new Map<string, EpisodeKind>();
	const messages: TranscriptMessage[] = [];
	const graph: GrowingGraph<E> = {
		extent,
		messages,
		history: createHistory(messages, tools),
		prologue: [],
		prologueTokens: 0,
		userMessages: [],
		userTokens: 0,
		tokens: 0,
		reasoning: [],
		episodes: [],
		evicted: new Map(),
		builtUpon: new Set(),
		resultOf: new Map(),
		callOf: new Map(),
		strayResults: 0,
		lateResults: 0,
		protocol: { open: undefined, kinds },
		annotated: false,
		lastExchange: -1,
		openLoop: 0,
	};
	return {
		tools,
		graph,
		placedCalls: new Map(),
		kinds,
		names: new Set(),
		evictedItemCounts: new Map(),
		needsRebuild: false,
		declared: undefined,
		inferred: undefined,
		exchange: undefined,
		turns: 0,
	};
}

/**
 * A copy in which the exchange in progress can settle without changing the original. Both share the list of messages and
 * the episodes that settling does not reach, so that the cost is that of copying the maps.
 */
export function copyState<E extends Extent>(state: FoldState<E>): FoldState<E> {
	const { graph, names, evictedItemCounts, exchange } = state;
	const kinds = new Map(state.kinds);
	const placedCalls = new Map(state.placedCalls);
	const copies = new Map<Growing<Episode>, Growing<Episode>>();
	const copyOf = (episode: Growing<Episode>) => {
		const copy = copies.get(episode) ?? { ...episode, items: [...episode.items] };
		copies.set(episode, copy);
		return copy;
	};
	// A result that answers no call of the exchange goes to the episode of an earlier call.
	for (const { callId } of exchange?.results ?? []) {
		const placed = placedCalls.get(callId);
		if (placed) placedCalls.set(callId, { ...placed, episode: copyOf(placed.episode) });
	}
	const declared = state.declared && copyOf(state.declared);
	const inferred = state.inferred && copyOf(state.inferred);
	return {
		...state,
		graph: {
			...graph,
			prologue: [...graph.prologue],
			userMessages: [...graph.userMessages],
			episodes: graph.episodes.map((episode) => copies.get(episode) ?? episode),
			builtUpon: new Set(graph.builtUpon),
			resultOf: new Map(graph.resultOf),
			callOf: new Map(graph.callOf),
			protocol: { open: graph.protocol.open, kinds },
		},
		placedCalls,
		kinds,
		names: new Set(names),
		evictedItemCounts: new Map(evictedItemCounts),
		declared,
		inferred,
		exchange: exchange && { blocks: exchange.blocks, results: [...exchange.results] },
	};
}

/** Replaces episodes by records. */
export function compactState(state: FoldState<"live">, isSpent: (episode: Episode) => boolean): void {
	const { graph } = state;
	// Digests are read on demand: the last chance is now.
	graph.history.contents();
	const spent = new Set(graph.episodes.filter(isSpent));
	graph.episodes = graph.episodes.filter((episode) => !spent.has(episode));
	for (const episode of spent) {
		graph.evicted.set(episode.id, recordOf(episode));
		for (const item of episode.items) forget(state, item);
	}
	graph.reasoning = graph.reasoning.filter(({ message }) => graph.messages[message]?.items.length !== 0);
}

/** Releases an item; its message is emptied once all its items are in evicted episodes. */
function forget({ graph, placedCalls, evictedItemCounts }: FoldState, item: Item) {
	graph.resultOf.delete(item.id);
	graph.callOf.delete(item.id);
	if (item.type === "call" && placedCalls.get(item.callId)?.call === item) placedCalls.delete(item.callId);
	const message = graph.messages[item.message];
	if (!message) return;
	const evicted = (evictedItemCounts.get(item.message) ?? 0) + 1;
	evictedItemCounts.set(item.message, evicted);
	if (evicted < message.items.length) return;
	evictedItemCounts.delete(item.message);
	graph.messages[item.message] = emptied[message.author];
}

const emptied: Readonly<Record<TranscriptMessage["author"], TranscriptMessage>> = {
	user: { author: "user", items: [] },
	host: { author: "host", items: [] },
	model: { author: "model", items: [] },
	tool: { author: "tool", items: [] },
};
