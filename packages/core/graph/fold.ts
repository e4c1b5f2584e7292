/**
 * The fold from messages to episode graph. Items belong to episodes block by block: in one model message `end`,
 * `start` and `read` each land where they belong, and reasoning or text goes with the call that follows it.
 */
import { type EpisodeKind, extendProtocol } from "../annotation/delimiter.ts";
import { addToHistory } from "../history/history.ts";
import type { ToolTable } from "../transcript/tool-table.ts";
import {
	type Item,
	sumTokens,
	type ToolCall,
	type ToolResult,
	type TranscriptMessage,
} from "../transcript/transcript.ts";
import { awaitsResults, effectiveCommand, takeResult, unmarkedKind } from "./exchange.ts";
import { copyState, createState, type FoldState } from "./fold-state.ts";
import type { Graph } from "./graph.ts";
import { closeInferred, currentEpisode, endEpisode, place, startEpisode } from "./open-episode.ts";

/** A graph that grows with its messages. */
export interface GraphFold {
	/** Takes the next message. Linear in the message, not in the history. */
	append(message: TranscriptMessage): void;
	/**
	 * The graph of the messages so far, live: later `append` calls extend it in place. While results of the last model
	 * message are missing, it is a snapshot, at a cost linear in the graph.
	 */
	read(): Graph;
}

/** Folds a whole transcript at once. */
export function foldTranscript(messages: readonly TranscriptMessage[], tools: ToolTable): Graph {
	const state = createState(tools);
	for (const message of messages) appendMessage(state, message);
	settle(state);
	return state.graph;
}

/** Folds a session message by message. */
export function createFold(tools: ToolTable): GraphFold {
	const state = createState(tools);
	let snapshot: Graph | undefined;
	return {
		append(message) {
			snapshot = undefined;
			appendMessage(state, message);
		},
		read() {
			if (!state.exchange || !awaitsResults(state.exchange)) {
				settle(state);
				return state.graph;
			}
			// Settling early would decide without the results that are still to come.
			snapshot ??= settledCopy(state);
			return snapshot;
		},
	};
}

function appendMessage(state: FoldState, message: TranscriptMessage) {
	const { graph } = state;
	graph.messages.push(message);
	graph.tokens += sumTokens(message.items);
	addToHistory(graph.history, message);
	for (const item of message.items) if (item.type === "reasoning") graph.reasoning.push(item);
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
	const placed = state.placedCalls.get(result.callId);
	state.graph.lateResults += 1;
	if (!placed) {
		state.graph.strayResults += 1;
		return placeOutsideExchange(state, result);
	}
	if (state.graph.resultOf.has(placed.call.id)) state.graph.strayResults += 1;
	else pair(state, placed.call, result);
	place(state, result, placed.episode);
}

/** The graph as if nothing more came of the exchange. */
function settledCopy(state: FoldState): Graph {
	const copy = copyState(state);
	settle(copy);
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
	if (command) graph.protocol = extendProtocol(state.kinds, command);
	if (command?.type === "end") endEpisode(state, command);
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
