import { describe, expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import * as draft from "../test-support/message-builders.ts";
import { evictableIn, inProgressIn } from "./evictable.ts";

const { blank, call, fold, labelOf, model } = draft;
const { note, person, reasoning, result, startExpl, text } = draft;

const look: readonly draft.MessageDraft[] = [person(), model(call("a", "read")), result("a")];

/** The messages that a pass may take items of. */
function evictable(...drafts: readonly draft.MessageDraft[]): readonly number[] {
	const graph = fold(...drafts);
	const isEvictable = evictableIn(graph);
	const own = graph.messages.filter(({ items }) => items.every(isEvictable));
	return own.map((message) => graph.messages.indexOf(message)).filter((index) => index > 0);
}

/** For each episode, whether it cannot leave whole yet. */
function inProgress(...drafts: readonly draft.MessageDraft[]): readonly boolean[] {
	const graph = fold(...drafts);
	return graph.episodes.map(inProgressIn(graph));
}

test("a note right before the open loop stays, as the loop would begin earlier without it", () => {
	const session = [...look, note(), model(text()), note(), model(text())];
	expect(evictable(...session)).toEqual([1, 2, 3, 4]);
	expect(inProgress(...look, note(), model(text()))).toEqual([true]);
	expect(inProgress(...look, note(), person(), model(text()))).toEqual([false, true]);
	const marked = [model(startExpl("s", "more")), result("s"), model(text())];
	expect(inProgress(...look, person(), note(), ...marked)).toEqual([false, true, true]);
});

describe("the beginning of the tool loop in progress", () => {
	const loop = (...answers: readonly (readonly draft.ItemDraft[])[]) =>
		fold(
			person(),
			model(text()),
			person(),
			note(),
			...answers.flatMap((items) => [
				model(...items),
				...items.flatMap((item) =>
					item.type === "call" && !item.callId.startsWith("lost")
						? [result(item.callId, item.callId === "small" ? 10 : 90)]
						: [],
				),
			]),
			model(call("now", "read")),
		);
	const heldBy = (graph: Graph) => {
		const isEvictable = evictableIn(graph);
		return graph.messages
			.flatMap(({ items }) => items)
			.filter((item) => !isEvictable(item) && item.type === "call")
			.map(labelOf);
	};

	test("is held by the smallest call of its first answer, where that begins with reasoning", () => {
		const first = [reasoning(), call("large", "read"), call("small", "read")];
		expect(heldBy(loop(first, [reasoning(), call("later", "read")]))).toEqual(["small", "now"]);
		expect(heldBy(loop(first.slice(1), [reasoning(), call("later", "read")]))).toEqual(["now"]);
		expect(heldBy(loop([blank(), ...first]))).toEqual(["small", "now"]);
	});

	test("by one with results before one without, and by what follows where a crash lost them all", () => {
		const lost = [reasoning(), call("lost", "read", {}, 1), call("kept", "read")];
		expect(heldBy(loop(lost))).toEqual(["kept", "now"]);
		const all = [reasoning(), call("lost-1", "read"), call("lost-2", "read", {}, 9)];
		expect(
			heldBy(loop(all, [reasoning(), call("next", "read")], [reasoning(), call("third", "read")])),
		).toEqual(["lost-2", "next", "now"]);
	});
});
