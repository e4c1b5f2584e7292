import { expect, test } from "vitest";
import { createRecallIndex } from "../recall/recall.ts";
import { everyItem, sentIds } from "../test-support/inspection.ts";
import { forEveryRequest, type Request } from "../test-support/simulation.ts";

/** The items that the log evicted. That the texts come back byte for byte is a test of the host, which holds them. */
function evictedItems(request: Request) {
	const sent = sentIds(request);
	return everyItem(request.messages).filter(({ id }) => !sent.has(id));
}

test("rule 12: every evicted item has a handle, which answers it and nothing else", () => {
	forEveryRequest((request) => {
		const { parts, find } = createRecallIndex(request.graph);
		for (const item of evictedItems(request)) {
			const part = parts.find(({ items }) => items.includes(item));
			expect(part && find(part.handle)).toEqual({ type: "part", parts: [part] });
		}
	});
});

test("rule 12: every evicted item comes back by the name of its episode, and a call by its id", () => {
	forEveryRequest((request) => {
		const { find } = createRecallIndex(request.graph);
		const itemsOf = (handle: string) => find(handle)?.parts.flatMap(({ items }) => items) ?? [];
		for (const item of evictedItems(request)) {
			const episode = request.graph.episodes.find(({ items }) => items.includes(item));
			expect(itemsOf(episode?.name ?? "")).toContain(item);
			if (item.type === "call") expect(itemsOf(item.callId)).toContain(item);
		}
	});
});

test("rule 12: a handle means the same as the session goes on", () => {
	let meant = new Map<string, string>();
	forEveryRequest(({ graph }, previous) => {
		if (!previous) meant = new Map();
		const { parts } = createRecallIndex(graph);
		for (const { handle, items } of parts) {
			expect(meant.get(handle) ?? items[0].id).toBe(items[0].id);
			meant.set(handle, items[0].id);
		}
	});
});
