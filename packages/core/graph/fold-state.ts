/** The working state of the fold from messages to episode graph. */
import type { EpisodeKind, ProtocolState } from "../annotation/delimiter.ts";
import { createHistory, type GrowingHistory } from "../history/history.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { ItemId, ToolCall, ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import type { Exchange } from "./exchange.ts";
import type { Episode, EpisodeId, Graph } from "./graph.ts";

export type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

type Kept = "resultOf" | "callOf" | "protocol" | "episodes" | "builtUpon" | "history";

export interface GrowingGraph extends Growing<Omit<Graph, Kept>> {
	readonly history: GrowingHistory;
	episodes: Growing<Episode>[];
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

export interface FoldState {
	readonly tools: ToolTable;
	readonly graph: GrowingGraph;
	/** The last call of each call id. */
	readonly placedCalls: Map<string, PlacedCall>;
	/** The kind of every episode that the model declared, by name. */
	readonly kinds: Map<string, EpisodeKind>;
	/** Names of all episodes. */
	readonly names: Set<string>;
	declared: Growing<Episode> | undefined;
	inferred: Growing<Episode> | undefined;
	exchange: Exchange | undefined;
	turns: number;
}

export function createState(tools: ToolTable): FoldState {
	const kinds = new Map<string, EpisodeKind>();
	const messages: TranscriptMessage[] = [];
	const graph: GrowingGraph = {
		messages,
		history: createHistory(messages, tools),
		prologue: [],
		prologueTokens: 0,
		userMessages: [],
		userTokens: 0,
		tokens: 0,
		reasoning: [],
		episodes: [],
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
export function copyState(state: FoldState): FoldState {
	const { graph, names, exchange } = state;
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
		declared,
		inferred,
		exchange: exchange && { blocks: exchange.blocks, results: [...exchange.results] },
	};
}
