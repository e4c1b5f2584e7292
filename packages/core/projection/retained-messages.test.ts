import { expect, test } from "vitest";
import { viewOfLog } from "../log/view.ts";
import { linesOf } from "../test-support/inspection.ts";
import { fold } from "../test-support/message-builders.ts";
import { forEveryRequest } from "../test-support/simulation.ts";
import { act, lookAndFix, shrink, use } from "../test-support/small-sessions.ts";
import { sentBy } from "./projection.ts";
import { retainedMessages } from "./retained-messages.ts";

test("a message that does not stand has nothing to send, and no line in its place", () => {
	forEveryRequest(({ graph, view }) => {
		const standing = new Set(retainedMessages(graph, view));
		const isSent = sentBy(graph, view);
		const lines = linesOf(view);
		graph.messages.forEach(({ items }, index) => {
			if (standing.has(index)) return;
			expect(items).not.toEqual([]);
			expect(items.filter((item) => isSent(item) || lines.has(item.id))).toEqual([]);
		});
	});
});

test("of a wholly evicted episode only the message of its line stands", () => {
	const drafts = [...lookAndFix, ...act("more", [], ...use("read", "r3")), ...lookAndFix.slice(-1)];
	const graph = fold(...drafts);
	const { log, levels } = shrink(drafts, 400);
	const view = viewOfLog(log);
	const standing = retainedMessages(graph, view);
	const evicted = graph.episodes.filter(({ name }) =>
		levels?.some(([of, level]) => of === name && level === 4),
	);
	expect(evicted.length).toBeGreaterThan(0);
	for (const { id, items } of evicted) {
		const messages = [...new Set(items.map(({ message }) => message))];
		expect(messages.filter((message) => standing.includes(message))).toEqual(
			view.markers.has(id) ? messages.slice(0, 1) : [],
		);
	}
});
