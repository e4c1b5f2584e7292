/** Where two projections of one session part: everything in front of that place is sent as it was. */
import type { Graph } from "../graph/graph.ts";
import type { View } from "../log/view.ts";
import { type ProjectedPart, project } from "../projection/projection.ts";

/**
 * Index of the first message that two views send differently; `graph.messages.length` when they send the same.
 * Linear in what the two views leave of the history.
 */
export function firstChange(graph: Graph, before: View, after: View): number {
	const [old, now] = [project(graph, before), project(graph, after)];
	const end = Math.max(old.length, now.length);
	for (let index = 0; index < end; index += 1) {
		const [a, b] = [old[index], now[index]];
		if (a && b && isSamePart(a, b)) continue;
		const changed = Math.min(a?.message ?? Infinity, b?.message ?? Infinity);
		const isLine = a?.type === "marker" || b?.type === "marker";
		return isLine ? beforeAnswers(graph, old.slice(0, index), changed) : changed;
	}
	return graph.messages.length;
}

function isSamePart(a: ProjectedPart, b: ProjectedPart): boolean {
	if (a.message !== b.message) return false;
	switch (a.type) {
		case "whole":
			return b.type === "whole";
		case "marker":
			return b.type === "marker" && a.text === b.text;
		case "faded":
			return b.type === "faded" && a.age === b.age;
		case "part":
			return b.type === "part" && a.blocks.join() === b.blocks.join();
		case "cut":
			return b.type === "cut" && a.release.mark === b.release.mark;
		default:
			return a satisfies never;
	}
}

/** Hosts may set a line in front of answers that have no results yet: the place before these is where the change may be. */
function beforeAnswers({ messages }: Graph, kept: readonly ProjectedPart[], changed: number): number {
	let first = changed;
	for (const { type, message } of kept.toReversed()) {
		const { author, items } = messages[message] ?? { author: "user", items: [] };
		if (type === "marker" || (author !== "model" && items.length > 0)) break;
		first = message;
	}
	return first;
}
