/**
 * The fold from messages to episode graph. Items belong to episodes block by block: in one model message `end`,
 * `start` and `read` each land where they belong, and reasoning or text goes with the call that follows it.
 */
import {
	DELIMITER,
	type DelimiterCommand,
	decideDelimiter,
	type EpisodeKind,
	extendProtocol,
	type ProtocolState,
} from "../annotation/delimiter.ts";
import { effectOf, type ToolTable } from "../transcript/tool-table.ts";
import {
	type Item,
	sumTokens,
	type ToolCall,
	type ToolResult,
	type TranscriptMessage,
} from "../transcript/transcript.ts";
import {
	closeInferred,
	createState,
	currentEpisode,
	type Exchange,
	endEpisode,
	type FoldState,
	place,
	startEpisode,
} from "./fold-state.ts";
import type { Graph } from "./graph.ts";
import { addToHistory } from "./history.ts";

/** Folds a whole transcript at once. */
export function foldTranscript(messages: readonly TranscriptMessage[], tools: ToolTable): Graph {
	const state = createState(tools);
	for (const message of messages) appendMessage(state, message);
	settle(state);
	return state.graph;
}

/** Folds a session message by message. */
export function createFold(tools: ToolTable) {
	const state = createState(tools);
	/** The messages so far, as if no result of the last exchange came any more. */
	let snapshot: Graph | undefined;
	return {
		/** Takes the next message. Linear in the message, not in the history. */
		append(message: TranscriptMessage) {
			snapshot = undefined;
			appendMessage(state, message);
		},
		/**
		 * The graph of the messages so far, live: later `append` calls extend it in place. While results of the last model
		 * message are missing, it is a snapshot, at a cost linear in the history.
		 */
		read(): Graph {
			if (!state.exchange || !awaitsResults(state.exchange)) {
				settle(state);
				return state.graph;
			}
			// Settling early would decide without the results that are still to come.
			snapshot ??= foldTranscript(state.graph.messages, tools);
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
	if (!placed) return placeOutsideExchange(state, result);
	if (state.graph.resultOf.has(placed.call.id)) state.graph.repeatOf.set(result.id, placed.call.id);
	else pair(state, placed.call, result);
	place(state, result, placed.episode);
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

/** Take the first of these results that answers a call; call ids may repeat. */
function takeResult(results: ToolResult[], callId: string): ToolResult | undefined {
	const index = results.findIndex((result) => result.callId === callId);
	return index < 0 ? undefined : results.splice(index, 1)[0];
}

/** Returns true if a call of the exchange has no result yet. */
export function awaitsResults({ blocks, results }: Exchange): boolean {
	const rest = [...results];
	return blocks.some((block) => block.type === "call" && !takeResult(rest, block.callId));
}

/**
 * A delimiter call takes effect when its result says so and the protocol allows it. Dependencies that this
 * transcript no longer holds (the host compacted them away) are dropped: the call was judged when it was made.
 */
function effectiveCommand(
	protocol: ProtocolState,
	call: ToolCall,
	result: ToolResult | undefined,
): DelimiterCommand | undefined {
	if (call.tool !== DELIMITER || !result || result.isError) return undefined;
	const { dependencies } = call.arguments;
	const known = Array.isArray(dependencies)
		? dependencies.filter((name) => typeof name !== "string" || protocol.kinds.get(name.trim()) === "expl")
		: dependencies;
	const decision = decideDelimiter(protocol, { ...call.arguments, dependencies: known });
	return decision.type === "accepted" ? decision.command : undefined;
}

/** The kind of unmarked work: an act if anything was changed, an expl if anything was looked at, else unknown. */
export function unmarkedKind(blocks: readonly Item[], tools: ToolTable): EpisodeKind | undefined {
	let kind: EpisodeKind | undefined;
	for (const block of blocks) {
		if (block.type !== "call") continue;
		const effect = effectOf(tools, block.tool, block.arguments);
		if (effect === "writes") return "act";
		if (effect === "reads") kind = "expl";
	}
	return kind;
}
