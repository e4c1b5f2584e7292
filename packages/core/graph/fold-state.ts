/** The working state of the fold: the graph as it grows, and the episode that new items go to. */
import type { DelimiterCommand, EpisodeKind, ProtocolState } from "../annotation/delimiter.ts";
import { fnv1a } from "../basics/fnv1a.ts";
import { addFindings } from "../transcript/findings.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { Item, ItemId, ToolCall, ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import type { Episode, EpisodeId, Graph } from "./graph.ts";
import { createHistory, type GrowingHistory } from "./history.ts";

export type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

type Kept =
	| "resultOf"
	| "callOf"
	| "protocol"
	| "episodes"
	| "places"
	| "dependents"
	| "builtUpon"
	| "history";

export interface GrowingGraph extends Growing<Omit<Graph, Kept>> {
	readonly history: GrowingHistory;
	episodes: Growing<Episode>[];
	places: Map<EpisodeId, number>;
	dependents: Map<EpisodeId, readonly EpisodeId[]>;
	builtUpon: Set<EpisodeId>;
	resultOf: Map<ItemId, ToolResult>;
	callOf: Map<ItemId, ItemId>;
	protocol: ProtocolState;
}

/** A model message and the results that came so far: settled when the next message of another kind arrives. */
export interface Exchange {
	readonly blocks: readonly Item[];
	readonly results: ToolResult[];
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
		places: new Map(),
		dependents: new Map(),
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
			places: new Map(graph.places),
			dependents: new Map(graph.dependents),
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

/** Inferred episodes longer than this are cut, so that a long run of unmarked work can leave in parts. */
export const INFERRED_TOKENS = 15_000;

/** The declared episode that is open, else the unmarked run of this kind, else a new one. */
export function currentEpisode(
	state: FoldState,
	first: Item,
	kind: EpisodeKind | undefined,
): Growing<Episode> {
	if (state.declared) return state.declared;
	const run = state.inferred;
	if (run && (run.tokens >= INFERRED_TOKENS || (kind !== undefined && kind !== run.kind)))
		closeInferred(state);
	state.inferred ??= openEpisode(state, {
		// No declared name begins with a space.
		id: ` ${first.id}`,
		name: nameRun(first.id, (name) => state.names.has(name)),
		kind: kind ?? "expl",
		origin: "inferred",
		dependencies: [],
	});
	return state.inferred;
}

export function startEpisode(state: FoldState, command: DelimiterCommand & { readonly type: "start" }) {
	closeInferred(state);
	state.declared = openEpisode(state, {
		id: command.name,
		name: command.name,
		kind: command.kind,
		origin: "declared",
		dependencies: command.kind === "act" ? [...command.dependencies] : [],
	});
	state.graph.annotated = true;
}

export function endEpisode(
	state: FoldState,
	{ description, isKept }: DelimiterCommand & { readonly type: "end" },
) {
	if (!state.declared) return;
	if (description !== undefined) state.declared.description = description;
	if (isKept) state.declared.isKept = true;
	state.declared.state = "closed";
	for (const id of state.declared.dependencies) state.graph.builtUpon.add(id);
	state.declared = undefined;
}

export function closeInferred(state: FoldState) {
	if (state.inferred) state.inferred.state = "closed";
	state.inferred = undefined;
}

function openEpisode(
	state: FoldState,
	marks: Pick<Growing<Episode>, "id" | "name" | "kind" | "origin" | "dependencies">,
): Growing<Episode> {
	const episode: Growing<Episode> = {
		...marks,
		state: "open",
		description: undefined,
		turn: state.turns,
		items: [],
		tokens: 0,
		place: state.graph.episodes.length,
	};
	const { episodes, places, dependents } = state.graph;
	places.set(episode.id, episodes.length);
	for (const id of marks.dependencies) dependents.set(id, [...(dependents.get(id) ?? []), episode.id]);
	episodes.push(episode);
	state.names.add(episode.name);
	return episode;
}

export function place(state: FoldState, item: Item, episode: Growing<Episode>) {
	episode.items.push(item);
	episode.tokens += item.tokens;
	if (item.type === "text" && item.findings)
		episode.description = addFindings(episode.description, item.findings);
	if (item.type === "call") state.placedCalls.set(item.callId, { call: item, episode });
}

const NAMES = 1_000_000;

/** A name for the run that begins with this item; the next free one where two runs would share it. */
export function nameRun(first: ItemId, isTaken: (name: string) => boolean): string {
	for (let number = fnv1a(first) % NAMES; ; number += 1) {
		const name = `unmarked-${number}`;
		if (!isTaken(name)) return name;
	}
}
