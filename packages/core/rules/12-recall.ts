import { expect } from "vitest";
import { createRecallIndex } from "../recall/recall.ts";
import { everyItem, sentIds } from "../test-support/inspection.ts";
import { type Request, rule } from "../test-support/simulation.ts";
import type { Item } from "../transcript/transcript.ts";

/** The items that the log evicted. That the texts come back byte for byte is a test of the host, which holds them. */
function evictedItems(request: Request) {
	const sent = sentIds(request);
	return everyItem(request.messages).filter(({ id }) => !sent.has(id));
}

let meant = new Map<string, string>();
export const rule12 = [
	rule(
		"rule 12: every evicted item has a handle that answers it alone; the name of its episode and the id of a call answer it too",
		(request) => {
			const { parts, find } = createRecallIndex(request.graph);
			const partOf = new Map(parts.flatMap((part) => part.items.map((item) => [item, part])));
			const { episodes } = request.graph;
			const episodeOf = new Map(episodes.flatMap((episode) => episode.items.map((item) => [item, episode])));
			const isAnswered = (handle: string, item: Item) =>
				find(handle)?.parts.some(({ items }) => items.includes(item)) ?? false;
			const unanswered = evictedItems(request).filter((item) => {
				const part = partOf.get(item);
				const found = part && find(part.handle);
				if (found?.type !== "part" || found.parts.length !== 1 || found.parts[0] !== part) return true;
				if (!isAnswered(episodeOf.get(item)?.name ?? "", item)) return true;
				return item.type === "call" && !isAnswered(item.callId, item);
			});
			expect(unanswered).toEqual([]);
		},
	),
	rule("rule 12: a handle means the same as the session goes on", ({ graph }, previous) => {
		if (!previous) meant = new Map();
		const { parts } = createRecallIndex(graph);
		const changed = parts.filter(({ handle, items }) => (meant.get(handle) ?? items[0].id) !== items[0].id);
		expect(changed).toEqual([]);
		for (const { handle, items } of parts) meant.set(handle, items[0].id);
	}),
];
