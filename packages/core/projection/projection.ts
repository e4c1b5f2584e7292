/** The projection: what a request sends. A function of transcript and log. */
import type { EpisodeId, Graph } from "../graph/graph.ts";
import type { FadeAge, Marker, Pass, Release } from "../log/pass.ts";
import { linesOf, type View } from "../log/view.ts";
import { isOrphanedReasoning, removedBy } from "../log/whole-calls.ts";
import type { Item, ItemId, TranscriptMessage } from "../transcript/transcript.ts";
import { firstTouched, retainedMessages } from "./touched-messages.ts";

export type ProjectedPart =
	| { readonly type: "whole"; readonly message: number }
	/** Only these content blocks of a model message are left, by index. */
	| { readonly type: "part"; readonly message: number; readonly blocks: readonly number[] }
	/** The output in this message is sent at lower detail. */
	| { readonly type: "faded"; readonly message: number; readonly age: FadeAge }
	/** Of this message of a person, only the beginning and the end of its text are left. */
	| { readonly type: "cut"; readonly message: number; readonly release: Release }
	/** Lines that stand for evicted episodes, before the message whose index is given. */
	| { readonly type: "marker"; readonly message: number; readonly text: string };

/** Which items a request sends. */
export function sentBy(graph: Graph, view: View): (item: Item) => boolean {
	const gone = removedBy(graph, (id) => view.removed.has(id));
	return (item) => !gone(item) && !isOrphanedReasoning(graph, item, gone);
}

/** A projection that grows with its session (design rule 11). */
export interface GrowingProjection {
	/**
	 * The parts to send of a graph that continues the one given before. Between two passes it is the same list, extended in
	 * place. Work is proportional to the messages that are new, after a pass to those behind its first change, and
	 * at first to what is left of the history.
	 */
	extend(graph: Graph): readonly ProjectedPart[];
	/** Notes a pass that the view holds by now; the next list is a new one. */
	append(pass: Pass): void;
}

/** Begins a projection of a view, which may grow by passes that are appended here too. */
export function createProjection(view: View): GrowingProjection {
	let anchored = createAnchoredLines(view);
	let parts: ProjectedPart[] = [];
	/**
	 * Lines in the order of the messages that they are anchored to, each with those since the last marker before it: there may be
	 * thousands, and one more should not take reading them all. The last of `marked` says how many are in `parts`.
	 */
	let lines: { readonly message: number; readonly text: string }[] = [];
	/** For each part with lines, its message and the number of lines up to it. */
	let marked: { readonly message: number; readonly lines: number }[] = [];
	let next = 0;
	let passes: Pass[] = [];

	/** The lines that no marker in `parts` has; undefined without any. */
	function waitingLines(): string | undefined {
		return lines.length > (marked.at(-1)?.lines ?? 0) ? lines.at(-1)?.text : undefined;
	}

	function addLine(message: number, text: string) {
		const waiting = waitingLines();
		lines.push({ message, text: waiting === undefined ? text : `${waiting}\n${text}` });
	}

	function placeLines(message: number) {
		const text = waitingLines();
		if (text === undefined) return;
		parts.push({ type: "marker", message, text });
		marked.push({ message, lines: lines.length });
	}

	/** `isSent` and `ageOf` answer for the items of the graph as it is now. */
	function add({ author, items }: TranscriptMessage, message: number, { isSent, ageOf }: Look) {
		for (const { id } of items) for (const text of anchored.at(id)) addLine(message, text);
		const blocks = items.flatMap((item, block) => (isSent(item) ? [block] : []));
		if (items.length > 0 && blocks.length === 0) return;
		// Nothing may stand between a call and its result.
		if (author !== "tool") placeLines(message);
		parts.push(partOf({ author, items }, message, blocks, ageOf));
	}

	/** The part of a message of which these blocks are sent. */
	function partOf(
		{ author, items }: TranscriptMessage,
		message: number,
		blocks: readonly number[],
		ageOf: Look["ageOf"],
	): ProjectedPart {
		const [first] = items;
		const age = first && ageOf(first);
		if (age) return { type: "faded", message, age };
		const release = author === "model" ? undefined : view.released.get(first?.id ?? "");
		if (release) return { type: "cut", message, release };
		return blocks.length < items.length ? { type: "part", message, blocks } : { type: "whole", message };
	}

	/** Goes back to the first message that the noted passes changed. */
	function rewind(graph: Graph) {
		const isKnown = passes.every(({ strips }) => strips.every(({ episode }) => anchored.update(episode)));
		next = isKnown ? Math.min(next, ...passes.map((pass) => firstTouched(graph, pass))) : 0;
		if (next === 0) anchored = createAnchoredLines(view);
		parts = before(parts, next);
		lines = before(lines, next);
		marked = before(marked, next);
		passes = [];
	}

	return {
		append(pass) {
			passes.push(pass);
		},
		extend(graph) {
			if (passes.length > 0) rewind(graph);
			const look = { isSent: sentBy(graph, view), ageOf: fadeAges(graph, view) };
			const end = graph.messages.length;
			const addAt = (index: number) => {
				const message = graph.messages[index];
				if (message) add(message, index, look);
			};
			if (next === 0) for (const index of retainedMessages(graph, view)) addAt(index);
			else for (let index = next; index < end; index += 1) addAt(index);
			next = end;
			return parts;
		},
	};
}

/** Those of a sorted list that belong to messages in front of one, as a new list. */
function before<T extends { readonly message: number }>(list: readonly T[], message: number): T[] {
	return list.slice(0, list.findLastIndex((entry) => entry.message < message) + 1);
}

interface Look {
	readonly isSent: (item: Item) => boolean;
	readonly ageOf: (item: Item) => FadeAge | undefined;
}

/** Answers the age of a faded output; undefined for all other items. */
export function fadeAges({ callOf }: Graph, { faded }: View): (item: Item) => FadeAge | undefined {
	return ({ type, id }) => (type === "result" ? faded.get(callOf.get(id) ?? "")?.age : undefined);
}

/** The parts to send, in order. With an empty log this is every message, whole. */
export function project(graph: Graph, view: View): readonly ProjectedPart[] {
	return createProjection(view).extend(graph);
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

export interface AnchoredLines {
	/** The lines at an item, the episode index first. */
	at(item: ItemId): readonly string[];
	/** Reads the line of an episode again. Returns false if all lines must be read again to know the order at its anchor. */
	update(episode: EpisodeId): boolean;
}

/** Reads the lines of a view that may grow. */
export function createAnchoredLines(view: View): AnchoredLines {
	const byAnchor = new Map<ItemId, string[]>();
	for (const { anchor, text } of linesOf(view)) append(byAnchor, anchor, text);
	const known = new Map<EpisodeId, Marker>(view.markers);
	return {
		at: (item) => byAnchor.get(item) ?? [],
		update(episode) {
			const [before, now] = [known.get(episode), view.markers.get(episode)];
			if (before === now) return true;
			if (!now) return false;
			known.set(episode, now);
			if (!before) append(byAnchor, now.anchor, now.text);
			else if (before.anchor === now.anchor && byAnchor.get(now.anchor)?.length === 1) {
				byAnchor.set(now.anchor, [now.text]);
			} else return false;
			return true;
		},
	};
}

function append(lines: Map<ItemId, string[]>, anchor: ItemId, text: string) {
	const others = lines.get(anchor);
	if (others) others.push(text);
	else lines.set(anchor, [text]);
}
