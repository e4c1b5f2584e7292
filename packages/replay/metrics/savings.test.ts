import { expect, test } from "vitest";
import { createSizes } from "../recording/recording.ts";
import { calls, inOrder, reply, result, says, user } from "../test-support/messages.ts";
import { alignRequest } from "./alignment.ts";
import { createSavingsMeter } from "./savings.ts";

const sizes = createSizes((text) => text.length);
const history = inOrder(
	user("go"),
	reply(says("I read it."), calls("1", "read", {})),
	result("1", "text of a"),
);
const tokens = (index: number) => sizes(history[index] ?? user("")).reduce((total, size) => total + size, 0);
const align = (...sent: readonly number[]) =>
	alignRequest(
		history,
		history.filter((_, index) => sent.includes(index)),
	);

test("a token that left is counted in the first request without it, and in no later one", () => {
	const meter = createSavingsMeter(sizes);
	expect(meter(history, align(0, 1, 2))).toBe(0);
	expect(meter(history, align(0, 1))).toBe(tokens(2));
	expect(meter(history, align(0))).toBe(tokens(1));
	expect(meter(history, align(0))).toBe(0);
});

test("what comes back and leaves again is counted once", () => {
	const meter = createSavingsMeter(sizes);
	expect(meter(history, align(0))).toBe(tokens(1) + tokens(2));
	expect(meter(history, align(0, 1, 2))).toBe(0);
	expect(meter(history, align(0))).toBe(0);
});

test("of a message that is sent in part, only what is missing counts", () => {
	const [first, second] = history;
	const text = second?.role === "assistant" ? { ...second, content: second.content.slice(0, 1) } : undefined;
	if (!first || !text) throw new Error("the history has a reply");
	const meter = createSavingsMeter(sizes);
	const without = meter(history, alignRequest(history, [first, text]));
	expect(without).toBeGreaterThan(tokens(2));
	expect(without).toBeLessThan(tokens(1) + tokens(2));
});
