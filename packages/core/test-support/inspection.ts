/** Naive answers, from the messages alone where possible, to hold the sources against. */
import { quote } from "#basics";
import type { Episode, Graph } from "../graph/graph.ts";
import type { Marker, Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import { removedBy } from "../log/whole-calls.ts";
import { evictableIn } from "../planning/evictable.ts";
import type { ProjectedPart } from "../projection/projection.ts";
import type { Item, ItemId, TranscriptMessage } from "../transcript/transcript.ts";
import { countMarker, type Request, reducedSize } from "./simulation.ts";

/** The items that these parts send, in order. */
export function sentItems(
	messages: readonly TranscriptMessage[],
	parts: readonly ProjectedPart[],
): readonly Item[] {
	return parts.flatMap((part) => {
		const items = part.type === "marker" ? [] : (messages[part.message]?.items ?? []);
		return part.type === "part" ? part.blocks.flatMap((block) => items[block] ?? []) : items;
	});
}

/** Ids of what a request sends, found once for all checks of the request. */
export function sentIds(request: Pick<Request, "messages" | "parts">): ReadonlySet<ItemId> {
	const known = idsSent.get(request);
	if (known) return known;
	const ids = new Set(sentItems(request.messages, request.parts).map((item) => item.id));
	idsSent.set(request, ids);
	return ids;
}

const idsSent = new WeakMap<Pick<Request, "messages" | "parts">, ReadonlySet<ItemId>>();

/** Size of a request from scratch: what the parts send, plus every line that the log left, plus the fixed cost. */
export function recount({ messages, parts, log, settings }: Request): number {
	let tokens = settings.fixed.system + settings.fixed.tools;
	for (const part of parts) {
		for (const item of sentItems(messages, [part])) {
			tokens += part.type === "reduced" ? reducedSize(item, part.form) : item.tokens;
		}
	}
	for (const { text } of retainedLines(log)) tokens += countMarker(text);
	return tokens;
}

/** The lines that stand for evicted episodes: index lines that no later one holds, and the last line of each episode in none of them. */
function retainedLines(log: readonly Pass[]): readonly Marker[] {
	const indexLines = log.flatMap((pass) => pass.indexLines ?? []);
	const standing = indexLines.filter(
		({ episodes }, i) =>
			!indexLines.slice(i + 1).some((later) => episodes.every((id) => later.episodes.includes(id))),
	);
	const folded = new Set(indexLines.flatMap(({ episodes }) => episodes));
	const strips = log.flatMap((pass) => pass.strips).filter(({ episode }) => !folded.has(episode));
	const lines = new Map(
		strips.flatMap(({ episode, marker }) => (marker ? [[episode, marker] as const] : [])),
	);
	return [...standing.map(({ marker }) => marker), ...lines.values()];
}

/** Items that the log has not taken and the request yet leaves out. */
export function unsent(request: Request): readonly Item[] {
	const sent = sentIds(request);
	const gone = removedBy(request.graph, request.view.removed);
	return everyItem(request.messages).filter((item) => !gone(item) && !sent.has(item.id));
}

/** Tokens of the line that a removed episode leaves; only a description is kept (paper 4.2). */
export function lineTokens({ name, description }: Episode): number {
	return description === undefined ? 0 : countMarker(`[expl ${quote(name)}, evicted] ${quote(description)}`);
}

export function everyItem(messages: readonly TranscriptMessage[]): readonly Item[] {
	return messages.flatMap((message) => message.items);
}

/** Results that a strict provider refuses: no call with their id came before them. */
export function orphans(items: readonly Item[]): readonly Item[] {
	const called = new Set<string>();
	return items.filter((item) => {
		if (item.type === "call") called.add(item.callId);
		return item.type === "result" && !called.has(item.callId);
	});
}

export function isClosedAndPast(graph: Graph, episode: Episode): boolean {
	const isEvictable = evictableIn(graph);
	return episode.state === "closed" && episode.items.every(isEvictable);
}

/** Reasoning of the tool loop in progress, which stays as long as anything that it led to. */
export function isLoopReasoning(graph: Graph, item: Item): boolean {
	return item.type === "reasoning" && item.message >= graph.openLoop;
}

/** Tokens of the lines of a view, by the item in whose place they stand. */
export function linesOf({ indexLines, episodes }: View): ReadonlyMap<ItemId, number> {
	const lines = new Map<ItemId, number>();
	for (const { marker } of [...indexLines, ...episodes.values()]) {
		if (marker) lines.set(marker.anchor, (lines.get(marker.anchor) ?? 0) + marker.tokens);
	}
	return lines;
}

/** A graph as plain data: the digests that its history reads on demand are read. */
export function comparable({ history, ...graph }: Graph) {
	return { ...graph, history: { ...history, contents: history.contents() } };
}
