/** The projection: what a request sends. A function of transcript and log. */
import type { Graph } from "../graph/graph.ts";
import type { Release } from "../log/pass.ts";
import { linesOf, type View } from "../log/view.ts";
import { isOrphanedReasoning, removedBy } from "../log/whole-calls.ts";
import type { Item, ItemId, TranscriptMessage } from "../transcript/transcript.ts";
import { retainedMessages } from "./retained-messages.ts";

export type ProjectedPart =
	| { readonly type: "whole"; readonly message: number }
	/** Only these content blocks of a model message are left, by index. */
	| { readonly type: "part"; readonly message: number; readonly blocks: readonly number[] }
	/** Of this message of a person, only the beginning and the end of its text are left. */
	| { readonly type: "cut"; readonly message: number; readonly release: Release }
	/** Lines that stand for evicted episodes, before the message whose index is given. */
	| { readonly type: "marker"; readonly message: number; readonly text: string };

/** Which items a request sends. */
export function sentBy(graph: Graph, view: View): (item: Item) => boolean {
	const gone = removedBy(graph, (id) => view.removed.has(id));
	return (item) => !gone(item) && !isOrphanedReasoning(graph, item, gone);
}

/** A projection between two passes: all that it can do is grow at its tail (design rule 11). */
export interface GrowingProjection {
	/**
	 * The parts to send of a graph that continues the one given before, live: the next call extends them in place.
	 * Work is proportional to the messages that are new, at first to what is left of the history.
	 */
	extend(graph: Graph): readonly ProjectedPart[];
}

/** Begin a projection. It holds until something is added to the view. */
export function createProjection(view: View): GrowingProjection {
	const markers = markersByAnchor(view);
	const parts: ProjectedPart[] = [];
	let lines: string[] = [];
	let next = 0;

	function add({ author, items }: TranscriptMessage, message: number, isSent: (item: Item) => boolean) {
		for (const item of items) lines.push(...(markers.get(item.id) ?? []));
		const blocks = items.flatMap((item, block) => (isSent(item) ? [block] : []));
		if (items.length > 0 && blocks.length === 0) return;
		// Nothing may stand between a call and its result.
		if (lines.length > 0 && author !== "tool") {
			parts.push({ type: "marker", message, text: lines.join("\n") });
			lines = [];
		}
		const release = author === "model" ? undefined : view.released.get(items[0]?.id ?? "");
		if (release) parts.push({ type: "cut", message, release });
		else if (blocks.length < items.length) parts.push({ type: "part", message, blocks });
		else parts.push({ type: "whole", message });
	}

	return {
		extend(graph) {
			const isSent = sentBy(graph, view);
			const end = graph.messages.length;
			const indexes = next === 0 ? retainedMessages(graph, view) : range(next, end);
			for (const index of indexes) {
				const message = graph.messages[index];
				if (message) add(message, index, isSent);
			}
			next = end;
			return parts;
		},
	};
}

function range(start: number, end: number): readonly number[] {
	return Array.from({ length: end - start }, (_, offset) => start + offset);
}

/** The parts to send, in order. With an empty log this is every message, whole. */
export function project(graph: Graph, view: View): readonly ProjectedPart[] {
	return createProjection(view).extend(graph);
}

function markersByAnchor(view: View): ReadonlyMap<ItemId, readonly string[]> {
	const markers = new Map<ItemId, string[]>();
	for (const { anchor, text } of linesOf(view)) {
		const lines = markers.get(anchor);
		if (lines) lines.push(text);
		else markers.set(anchor, [text]);
	}
	return markers;
}

/** Returns a test for hosts that edit their own messages: true if the parts send the item at a place in a message. */
export function sentPlaces(
	parts: readonly ProjectedPart[],
): (place: { readonly message: number; readonly item: number }) => boolean {
	const sent = new Map<number, ReadonlySet<number> | "all">();
	for (const part of parts) {
		if (part.type === "part") sent.set(part.message, new Set(part.blocks));
		else if (part.type !== "marker") sent.set(part.message, "all");
	}
	return ({ message, item }) => {
		const items = sent.get(message);
		return items === "all" || items?.has(item) === true;
	};
}
