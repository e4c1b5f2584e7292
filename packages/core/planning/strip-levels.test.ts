import { describe, expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { isOrphaned } from "../log/whole-calls.ts";
import * as draft from "../test-support/message-builders.ts";
import { evictableIn } from "./evictable.ts";

const { blank, call, fold, labelOf, model } = draft;
const { note, person, reasoning, result, text } = draft;

describe("reasoning leads nowhere", () => {
	const items = [
		reasoning(),
		call("a", "read"),
		text(),
		blank(),
		reasoning(),
		reasoning(),
		call("b", "read"),
		reasoning(),
	];
	const graph = fold(person(), model(...items), result("a"), result("b"));
	const [, message] = graph.messages;
	const answer = (at: number, ...gone: readonly number[]) => {
		const item = message?.items[at];
		const isGone = gone.flatMap((index) => message?.items[index] ?? []);
		return item && isOrphaned(graph, item, (other) => isGone.includes(other));
	};

	test("once all that followed it up to the next reasoning is gone, blank texts left out", () => {
		expect([answer(0), answer(0, 1), answer(0, 2), answer(0, 1, 2)]).toEqual([false, false, false, true]);
		expect([answer(4), answer(4, 6), answer(5), answer(5, 6)]).toEqual([false, true, false, true]);
	});

	test("never where nothing follows it, and only reasoning does", () => {
		expect(answer(7, 0, 1, 2, 3, 4, 5, 6)).toBe(false);
		expect(answer(1, 0, 1, 2)).toBe(false);
	});
});

test("a blank answer leads to what the next answer says, whatever failed between them, and to nothing behind a result", () => {
	const loop = [model(blank()), model(reasoning()), model(call("a", "read")), result("a")];
	const graph = fold(person(), ...loop, model(blank()), result("a"), model(call("b", "read")));
	const [first, second] = graph.messages.flatMap(({ items }) => items.filter(({ type }) => type === "text"));
	const leaves = (item: typeof first, id: string) =>
		item && isOrphaned(graph, item, (other) => other.type === "call" && other.callId === id);
	expect([leaves(first, "a"), leaves(first, "b"), leaves(second, "b")]).toEqual([true, false, false]);
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
