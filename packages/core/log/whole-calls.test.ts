import { expect, test } from "vitest";
import { blank, call, fold, model, person, reasoning, result } from "../test-support/message-builders.ts";
import { isOrphaned } from "./whole-calls.ts";

test("a blank answer leads to what the next answer says, whatever failed between them, and to nothing behind a result", () => {
	const loop = [model(blank()), model(reasoning()), model(call("a", "read")), result("a")];
	const graph = fold(person(), ...loop, model(blank()), result("a"), model(call("b", "read")));
	const [first, second] = graph.messages.flatMap(({ items }) => items.filter(({ type }) => type === "text"));
	const leaves = (item: typeof first, id: string) =>
		item && isOrphaned(graph, item, (other) => other.type === "call" && other.callId === id);
	expect([leaves(first, "a"), leaves(first, "b"), leaves(second, "b")]).toEqual([true, false, false]);
});
