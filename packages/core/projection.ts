/** The projection: what a request sends. A pure function of transcript and log. */
import type { Graph } from "./graph.ts";
import { goneBy, leadsNowhere } from "./levels.ts";
import type { Release, View } from "./log.ts";
import type { Item, ItemId } from "./transcript.ts";

export type ProjectedPart =
	| { readonly type: "whole"; readonly message: number }
	/** Only these content blocks of a model message are left, by index. */
	| { readonly type: "part"; readonly message: number; readonly blocks: readonly number[] }
	/** Of this message of a person, only the beginning and the end of its text are left. */
	| { readonly type: "cut"; readonly message: number; readonly release: Release }
	/** Lines that stand for evicted episodes, before the message whose index is given. */
	| { readonly type: "marker"; readonly message: number; readonly text: string };

/** The parts to send, in order. With an empty log this is every message, whole. */
export function project(graph: Graph, view: View): readonly ProjectedPart[] {
	const gone = goneBy(graph, (id) => view.removed.has(id));
	const markers = markersByAnchor(view);
	const parts: ProjectedPart[] = [];
	let lines: string[] = [];
	graph.messages.forEach(({ author, items }, message) => {
		for (const item of items) lines.push(...(markers.get(item.id) ?? []));
		const isSent = (item: Item) => !gone(item) && !leadsNowhere(graph, item, gone);
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
	});
	return parts;
}

function markersByAnchor(view: View): ReadonlyMap<ItemId, readonly string[]> {
	const markers = new Map<ItemId, string[]>();
	for (const { marker } of [...view.folds, ...view.episodes.values()]) {
		if (!marker) continue;
		const lines = markers.get(marker.anchor);
		if (lines) lines.push(marker.text);
		else markers.set(marker.anchor, [marker.text]);
	}
	return markers;
}
