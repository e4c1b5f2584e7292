/** What the fold from messages to episode graph has in hand. */
import type { EpisodeKind, ProtocolState } from "../annotation/delimiter.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { Item, ItemId, ToolCall, ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import { recordOf } from "./evicted-episode.ts";
import type { Exchange } from "./exchange.ts";
import type { Episode, EpisodeId, EvictedEpisode, Graph } from "./graph.ts";

export type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

interface GrowingGraph
	extends Growing<Omit<Graph, "resultOf" | "callOf" | "protocol" | "episodes" | "evicted" | "builtUpon">> {
	episodes: Growing<Episode>[];
	evicted: Map<EpisodeId, EvictedEpisode>;
	builtUpon: Set<EpisodeId>;
	resultOf: Map<ItemId, ToolResult>;
	callOf: Map<ItemId, ItemId>;
	protocol: ProtocolState;
}

interface Home {
	readonly call: ToolCall;
	readonly episode: Growing<Episode>;
}

export interface FoldState {
	readonly tools: ToolTable;
	readonly graph: GrowingGraph;
	readonly homes: Map<string, Home>;
	/** By every name that the model ever declared; the protocol reads it. */
	readonly kinds: Map<string, EpisodeKind>;
	/** Of all episodes. */
	readonly names: Set<string>;
	/** Of messages that are in evicted episodes for a part, how many items are. */
	readonly evictedItemCounts: Map<number, number>;
	declared: Growing<Episode> | undefined;
	inferred: Growing<Episode> | undefined;
	exchange: Exchange | undefined;
	turns: number;
	needsRebuild: boolean;
}

export function createState(tools: ToolTable): FoldState {
	const kinds = new Map<string, EpisodeKind>();
	const graph: GrowingGraph = {
		messages: [],
		prologue: [],
		prologueTokens: 0,
		userMessages: [],
		userTokens: 0,
		tokens: 0,
		episodes: [],
		evicted: new Map(),
		builtUpon: new Set(),
		resultOf: new Map(),
		callOf: new Map(),
		protocol: { open: undefined, kinds },
		annotated: false,
		lastExchange: -1,
		openLoop: 0,
	};
	return {
		tools,
		graph,
		homes: new Map(),
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

/** A state that can go on without changing the first; the messages are the same list. */
export function copyState(state: FoldState): FoldState {
	const { graph, homes, names, evictedItemCounts, exchange } = state;
	const kinds = new Map(state.kinds);
	const copies = new Map(
		graph.episodes.map((episode) => [episode, { ...episode, items: [...episode.items] }]),
	);
	const copyOf = (episode: Growing<Episode> | undefined) => episode && copies.get(episode);
	const homesOfCopy = [...homes].flatMap(([callId, { call, episode }]): [string, Home][] => {
		const copy = copyOf(episode);
		return copy ? [[callId, { call, episode: copy }]] : [];
	});
	return {
		...state,
		graph: {
			...graph,
			prologue: [...graph.prologue],
			userMessages: [...graph.userMessages],
			episodes: [...copies.values()],
			builtUpon: new Set(graph.builtUpon),
			resultOf: new Map(graph.resultOf),
			callOf: new Map(graph.callOf),
			protocol: { open: graph.protocol.open, kinds },
		},
		homes: new Map(homesOfCopy),
		kinds,
		names: new Set(names),
		evictedItemCounts: new Map(evictedItemCounts),
		declared: copyOf(state.declared),
		inferred: copyOf(state.inferred),
		exchange: exchange && { blocks: exchange.blocks, results: [...exchange.results] },
	};
}

/** Put records in the place of episodes. */
export function compactState(state: FoldState, isSpent: (episode: Episode) => boolean): void {
	const { graph } = state;
	const spent = new Set(graph.episodes.filter(isSpent));
	graph.episodes = graph.episodes.filter((episode) => !spent.has(episode));
	for (const episode of spent) {
		graph.evicted.set(episode.id, recordOf(episode));
		for (const item of episode.items) forget(state, item);
	}
}

/** A message goes once all of it is in evicted episodes. */
function forget({ graph, homes, evictedItemCounts }: FoldState, item: Item) {
	graph.resultOf.delete(item.id);
	graph.callOf.delete(item.id);
	if (item.type === "call" && homes.get(item.callId)?.call === item) homes.delete(item.callId);
	const message = graph.messages[item.message];
	if (!message) return;
	const gone = (evictedItemCounts.get(item.message) ?? 0) + 1;
	evictedItemCounts.set(item.message, gone);
	if (gone < message.items.length) return;
	evictedItemCounts.delete(item.message);
	graph.messages[item.message] = emptied[message.author];
}

const emptied: Readonly<Record<TranscriptMessage["author"], TranscriptMessage>> = {
	user: { author: "user", items: [] },
	host: { author: "host", items: [] },
	model: { author: "model", items: [] },
	tool: { author: "tool", items: [] },
};
