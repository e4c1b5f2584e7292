/**
 * Which blocks later replies referred to. Seed 002 asks for it and leaves open how; here a reply refers to a block when
 * it writes a file name or an identifier that the block shows and that few blocks show.
 */
import type { Graph, Item, ItemId } from "#core";
import type { Block } from "./blocks.ts";
import type { SessionTexts } from "./session-texts.ts";

export interface References {
	/** Read on to the end of the graph. */
	follow(graph: Graph): void;
	/** Requests since a reply last referred to the block, or since it came. */
	idle(block: Block): number;
	/** Replies that referred to it. */
	count(block: Block): number;
}

/** A name that more blocks show than this refers to none of them. */
const MAX_BLOCKS = 3;

interface Use {
	readonly request: number;
	readonly count: number;
}

export function createReferences(texts: SessionTexts): References {
	/** By name, the blocks that show it; by the id of their call or text. */
	const shownBy = new Map<string, Set<ItemId>>();
	const uses = new Map<ItemId, Use>();
	let [seen, requests] = [0, 0];

	function show(id: ItemId, names: ReadonlySet<string>) {
		for (const name of names) {
			const known = shownBy.get(name);
			if (known) known.add(id);
			else shownBy.set(name, new Set([id]));
		}
	}

	function refer(names: ReadonlySet<string>) {
		const meant = new Set<ItemId>();
		for (const name of names) {
			const ids = shownBy.get(name);
			if (ids && ids.size <= MAX_BLOCKS) for (const id of ids) meant.add(id);
		}
		for (const id of meant) uses.set(id, { request: requests, count: (uses.get(id)?.count ?? 0) + 1 });
	}

	function readItem(graph: Graph, item: Item) {
		const names = texts.namesOf(graph, item);
		if (item.type === "text" || item.type === "call") refer(names);
		if (item.type !== "user") show(graph.callOf.get(item.id) ?? item.id, names);
	}

	return {
		follow(graph) {
			for (const { author, items } of graph.messages.slice(seen)) {
				if (author === "model") requests += 1;
				for (const item of items) readItem(graph, item);
			}
			seen = graph.messages.length;
		},
		idle(block) {
			const use = uses.get(block.items[0]?.id ?? "");
			return use ? Math.min(block.age, requests - use.request) : block.age;
		},
		count: (block) => uses.get(block.items[0]?.id ?? "")?.count ?? 0,
	};
}
