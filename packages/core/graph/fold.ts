/**
 * The fold from messages to episode graph. Items belong to episodes block by block: in one model message `end`,
 * `start` and `read` each land where they belong, and reasoning or text goes with the call that follows it.
 */
import type { DelimiterCommand, EpisodeKind } from "../annotation/delimiter.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import {
	type Item,
	sumTokens,
	type ToolCall,
	type ToolResult,
	type TranscriptMessage,
} from "../transcript/transcript.ts";
import { awaitsResults, effectiveCommand, takeResult, unmarkedKind } from "./exchange.ts";
import { compactState, copyState, createState, type FoldState, type Growing } from "./fold-state.ts";
import type { Episode, Graph } from "./graph.ts";
import { nameRun } from "./inferred-name.ts";

/** A graph that grows with its messages. */
export interface GraphFold {
	/** Take the next message. Work is proportional to the message, not to the history. */
	append(message: TranscriptMessage): void;
	/**
	 * The graph as of the messages so far, live: later `append` calls extend it in place. While results of the last
	 * model message are still to come, it is a snapshot, at a cost proportional to what the graph holds.
	 */
	read(): Graph;
	/** Let go of the episodes of which this is true, closed ones; records of them stay. */
	compact(isSpent: (episode: Episode) => boolean): void;
	/** Whether a result was read that may belong to an episode which is gone: only the whole history can tell. */
	needsRebuild(): boolean;
}

/** Inferred episodes longer than this are cut, so that a long run of unmarked work can leave in parts. */
export const INFERRED_TOKENS = 15_000;

/** Folds a whole transcript at once. */
export function foldTranscript(messages: readonly TranscriptMessage[], tools: ToolTable): Graph {
	const state = createState(tools);
	for (const message of messages) appendMessage(state, message);
	settle(state);
	return state.graph;
}

export function createGraphFold(tools: ToolTable): GraphFold {
	const state = createState(tools);
	const { graph } = state;
	let snapshot: Graph | undefined;
	return {
		append(message) {
			snapshot = undefined;
			appendMessage(state, message);
		},
		read() {
			if (!state.exchange || !awaitsResults(state.exchange)) {
				settle(state);
				return graph;
			}
			// Settling early would decide without the results that are still to come.
			snapshot ??= settledCopy(state);
			return snapshot;
		},
		compact(isSpent) {
			snapshot = undefined;
			compactState(state, isSpent);
		},
		needsRebuild: () => state.needsRebuild,
	};
}

function appendMessage(state: FoldState, message: TranscriptMessage) {
	const { graph } = state;
	graph.messages.push(message);
	graph.tokens += sumTokens(message.items);
	if (message.author === "tool") {
		for (const item of message.items) if (item.type === "result") appendResult(state, item);
		return;
	}
	settle(state);
	if (message.author === "model") {
		graph.lastExchange = graph.messages.length - 1;
		state.exchange = { blocks: message.items, results: [] };
		return;
	}
	if (message.items.length > 0) graph.openLoop = graph.messages.length;
	if (message.author === "user") {
		state.turns += 1;
		closeInferred(state);
	}
	for (const item of message.items) placeOutsideExchange(state, item);
}

function placeOutsideExchange(state: FoldState, item: Item) {
	const { graph } = state;
	if (graph.lastExchange < 0) {
		graph.prologue.push(item);
		graph.prologueTokens += item.tokens;
	} else if (item.type === "user") {
		graph.userMessages.push(item);
		graph.userTokens += item.tokens;
	} else {
		place(state, item, currentEpisode(state, item, undefined));
	}
}

function appendResult(state: FoldState, result: ToolResult) {
	if (state.exchange) state.exchange.results.push(result);
	else placeStray(state, result);
}

/** A result that comes late, twice or for nothing: it stays with its call where there is one. */
function placeStray(state: FoldState, result: ToolResult) {
	const home = state.homes.get(result.callId);
	if (!home) {
		state.needsRebuild ||= state.graph.evicted.size > 0;
		return placeOutsideExchange(state, result);
	}
	if (!state.graph.resultOf.has(home.call.id)) pair(state, home.call, result);
	place(state, result, home.episode);
}

/** The graph as if nothing more came of the exchange. */
function settledCopy(state: FoldState): Graph {
	const copy = copyState(state);
	settle(copy);
	state.needsRebuild ||= copy.needsRebuild;
	return copy.graph;
}

/** Only with its results in is it known which delimiter calls of an exchange took effect. */
function settle(state: FoldState) {
	const { exchange } = state;
	if (!exchange) return;
	state.exchange = undefined;
	const kind = unmarkedKind(exchange.blocks, state.tools);
	let group: Item[] = [];
	for (const block of exchange.blocks) {
		group.push(block);
		if (block.type !== "call") continue;
		settleCall(state, group, block, takeResult(exchange.results, block.callId), kind);
		group = [];
	}
	placeTogether(state, group, kind);
	for (const result of exchange.results) placeStray(state, result);
}

/** Place a call with what led to it and what came of it, and let a delimiter take effect. */
function settleCall(
	state: FoldState,
	group: readonly Item[],
	call: ToolCall,
	result: ToolResult | undefined,
	kind: EpisodeKind | undefined,
) {
	const { graph } = state;
	const command = effectiveCommand(graph.protocol, call, result);
	if (command?.type === "start") startEpisode(state, command);
	placeTogether(state, result ? [...group, result] : group, kind);
	if (result) pair(state, call, result);
	if (command) advance(state, command);
	if (command?.type === "end") endEpisode(state, command.description);
}

/** As `advanceProtocol` does, without a copy of all names for each of them. */
function advance({ graph, kinds }: FoldState, command: DelimiterCommand) {
	if (command.type === "end") graph.protocol = { open: undefined, kinds };
	else {
		const { name, kind } = command;
		kinds.set(name, kind);
		graph.protocol = { open: { name, kind }, kinds };
	}
}

function placeTogether(state: FoldState, items: readonly Item[], kind: EpisodeKind | undefined) {
	const [first] = items;
	if (!first) return;
	const episode = currentEpisode(state, first, kind);
	for (const item of items) place(state, item, episode);
}

function pair(state: FoldState, call: ToolCall, result: ToolResult) {
	state.graph.resultOf.set(call.id, result);
	state.graph.callOf.set(result.id, call.id);
}

function place(state: FoldState, item: Item, episode: Growing<Episode>) {
	episode.items.push(item);
	episode.tokens += item.tokens;
	if (item.type === "call") state.homes.set(item.callId, { call: item, episode });
}

/** The declared episode that is open, else the unmarked run of this kind, else a new one. */
function currentEpisode(state: FoldState, first: Item, kind: EpisodeKind | undefined): Growing<Episode> {
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

function startEpisode(state: FoldState, command: DelimiterCommand & { readonly type: "start" }) {
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

function endEpisode(state: FoldState, description: string | undefined) {
	if (!state.declared) return;
	state.declared.description = description;
	state.declared.state = "closed";
	for (const id of state.declared.dependencies) state.graph.builtUpon.add(id);
	state.declared = undefined;
}

function closeInferred(state: FoldState) {
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
		place: state.graph.episodes.length + state.graph.evicted.size,
	};
	state.graph.episodes.push(episode);
	state.names.add(episode.name);
	return episode;
}
