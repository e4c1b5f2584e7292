/** The working state of the fold: the graph as it grows, and the episode that new items go to. */
import { fnv1a, type Growing } from "#basics";
import type { DelimiterCommand, EpisodeKind } from "../annotation/delimiter.ts";
import { addFindings } from "../transcript/findings.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import type { Item, ItemId, ToolCall, ToolResult, TranscriptMessage } from "../transcript/transcript.ts";
import type { Episode, Graph } from "./graph.ts";
import { createHistory, type History } from "./history.ts";

export interface GrowingGraph extends Omit<Growing<Graph>, "episodes" | "history"> {
	readonly episodes: Growing<Episode>[];
	readonly history: Growing<History>;
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
		resultOf: new Map(),
		callOf: new Map(),
		repeatOf: new Map(),
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
