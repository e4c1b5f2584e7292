/** The projection: what a request sends. A function of transcript and log. */
import { append } from "#basics";
import type { Graph } from "../graph/graph.ts";
import type { Form, Release } from "../log/pass.ts";
import { linesOf, type View } from "../log/view.ts";
import { isOrphaned, removedBy } from "../log/whole-calls.ts";
import type { Item, ItemId, TranscriptMessage } from "../transcript/transcript.ts";

export type ProjectedPart =
	| { readonly type: "whole"; readonly message: number }
	/** Only these content blocks of a model message are left, by index. */
	| { readonly type: "part"; readonly message: number; readonly blocks: readonly number[] }
	/** The output in this message is sent at lower detail. */
	| { readonly type: "reduced"; readonly message: number; readonly form: Form }
	/** Only the beginning and the end of the text of this user message are left. */
	| { readonly type: "cut"; readonly message: number; readonly release: Release }
	/** Lines that stand for evicted episodes, before the message whose index is given. */
	| { readonly type: "marker"; readonly message: number; readonly text: string };

/** Tests whether a request sends an item. */
export function sentBy(graph: Graph, view: View): (item: Item) => boolean {
	const gone = removedBy(graph, view.removed);
	return (item) => !gone(item) && !isOrphaned(graph, item, gone);
}

/**
 * Begins a projection under one log, which grows with its session (design rule 11): returns the parts to send of a graph that
 * continues the one given before, as the same list, extended in place. Linear in the messages that are new.
 */
export function createProjection(view: View): (graph: Graph) => readonly ProjectedPart[] {
	const linesAt = linesByAnchor(view);
	const parts: ProjectedPart[] = [];
	/** Lines that no marker in `parts` has yet. */
	let waiting: string[] = [];
	let next = 0;

	/** `isSent` and `formOf` answer for the items of the graph as it is now. */
	function add(message: TranscriptMessage, index: number, { isSent, formOf }: Look) {
		const { author, items } = message;
		for (const { id } of items) if (linesAt.has(id)) waiting.push(...(linesAt.get(id) ?? []));
		const blocks = items.flatMap((item, block) => (isSent(item) ? block : []));
		if (items.length > 0 && blocks.length === 0) return;
		// Nothing may stand between a call and its result.
		if (author !== "tool" && waiting.length > 0) {
			parts.push({ type: "marker", message: index, text: waiting.join("\n") });
			waiting = [];
		}
		parts.push(partOf(message, index, blocks, formOf));
	}

	/** The part of a message of which these blocks are sent. */
	function partOf(
		{ author, items }: TranscriptMessage,
		message: number,
		blocks: readonly number[],
		formOf: Look["formOf"],
	): ProjectedPart {
		const [first] = items;
		const form = first && formOf(first);
		if (form) return { type: "reduced", message, form };
		const release = author === "model" ? undefined : view.released.get(first?.id ?? "");
		if (release) return { type: "cut", message, release };
		return blocks.length < items.length ? { type: "part", message, blocks } : { type: "whole", message };
	}

	return (graph) => {
		const look = { isSent: sentBy(graph, view), formOf: formsOf(graph, view) };
		for (const message of graph.messages.slice(next)) {
			add(message, next, look);
			next += 1;
		}
		return parts;
	};
}

/** The lines of a view by the item that each is anchored to, the episode index first. */
function linesByAnchor(view: View): ReadonlyMap<ItemId, readonly string[]> {
	const lines = new Map<ItemId, string[]>();
	for (const { anchor, text } of linesOf(view)) append(lines, anchor, text);
	return lines;
}

interface Look {
	readonly isSent: (item: Item) => boolean;
	readonly formOf: (item: Item) => Form | undefined;
}

/** Answers the form of a reduced output; undefined for all other items. */
export function formsOf({ callOf }: Graph, { reduced }: View): (item: Item) => Form | undefined {
	return ({ type, id }) => (type === "result" ? reduced.get(callOf.get(id) ?? "")?.form : undefined);
}

/** The parts to send, in order. With an empty log this is every message, whole. */
export function project(graph: Graph, view: View): readonly ProjectedPart[] {
	return createProjection(view)(graph);
}
