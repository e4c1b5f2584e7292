/**
 * Which candidates later replies referred to. Seed 002 asks for it and leaves open how; here a reply refers to a
 * candidate when it writes a file name or an identifier that the candidate shows and that few others show. Only what is
 * still in the context counts, so that a session that is loaded again answers the same.
 */

import { removedBy } from "../log/whole-calls.ts";
import type { Item, ItemId } from "../transcript/transcript.ts";
import { type Candidate, itemsOf, requestsSince, type Scene } from "./candidates.ts";
import { namesIn } from "./item-texts.ts";

export interface References {
	/** Requests since a reply last referred to the candidate, or since it came. */
	idle(candidate: Candidate): number;
	/** Replies that referred to it. */
	count(candidate: Candidate): number;
}

/** A name that more items show than this refers to none of them. */
const MAX_SHOWN = 3;

interface Use {
	readonly request: number;
	readonly count: number;
}

/** Reads what is left of the session once. */
export function findReferences({ input }: Scene): References {
	const { graph, view } = input;
	const uses = new Map<ItemId, Use>();
	/** By name, the items that show it; a call stands for its result. */
	const shownBy = new Map<string | number, Set<ItemId>>();
	const ageOf = requestsSince(graph);
	const isGone = removedBy(graph, (id) => view.removed.has(id));
	let requests = 0;

	function refer(names: ReadonlySet<string | number>) {
		const meant = new Set<ItemId>();
		for (const name of names) {
			const ids = shownBy.get(name);
			if (ids && ids.size <= MAX_SHOWN) for (const id of ids) meant.add(id);
		}
		for (const id of meant) uses.set(id, { request: requests, count: (uses.get(id)?.count ?? 0) + 1 });
	}

	function read(item: Item) {
		const names = namesIn(input, item);
		if (item.type === "text" || item.type === "call") refer(names);
		if (item.type === "user") return;
		const id = graph.callOf.get(item.id) ?? item.id;
		for (const name of names) {
			const known = shownBy.get(name);
			if (known) known.add(id);
			else shownBy.set(name, new Set([id]));
		}
	}

	for (const { author, items } of graph.messages) {
		if (author === "model") requests += 1;
		for (const item of items) if (!isGone(item)) read(item);
	}
	const usesOf = (candidate: Candidate) => itemsOf(candidate).flatMap(({ id }) => uses.get(id) ?? []);
	return {
		idle: (candidate) =>
			usesOf(candidate).reduce(
				(idle, { request }) => Math.min(idle, requests - request),
				ageOf(candidate.message),
			),
		count: (candidate) => usesOf(candidate).reduce((sum, { count }) => sum + count, 0),
	};
}
