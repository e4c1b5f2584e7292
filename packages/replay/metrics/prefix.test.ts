import fc from "fast-check";
import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import { openRecording } from "../recording/recording.ts";
import * as say from "../test-support/messages.ts";
import { createPrefixMeter } from "./prefix.ts";

const { calls, countQuarters, inOrder, marker, recorded, reply, result, says, thinks, user } = say;

const history = inOrder(
	user("begin"),
	reply(
		thinks("hm"),
		says("I look"),
		calls("1|fc", "read", { path: "a" }),
		calls("2", "read", { path: "b" }),
	),
	result("1|fc", "text of a"),
	result("2", "text of b"),
	marker("a line"),
	user("go on"),
	reply(says("done")),
);
const { sizes } = openRecording(recorded(), countQuarters);

/** Some of the messages, whole or in part, made anew as often as a projection makes them anew. */
const projection = fc
	.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.boolean()), { minLength: 7, maxLength: 7 })
	.map((choices) => history.flatMap((message, i) => project(message, choices[i] ?? [0, false])));

function project(message: HostMessage, [choice, isAnew]: readonly [number, boolean]): readonly HostMessage[] {
	if (choice === 0) return [];
	if (choice === 1 && message.role === "assistant")
		return [{ ...message, content: message.content.slice(1) }];
	if (choice === 2 && message.role === "assistant")
		return [{ ...message, content: message.content.slice(0, 2) }];
	if (choice === 3 && message.role === "toolResult") return [{ ...message, toolCallId: "1" }];
	return [isAnew ? structuredClone(message) : message];
}

test("shared messages and extension are those of the written bytes", () => {
	fc.assert(
		fc.property(fc.array(projection, { minLength: 2, maxLength: 5 }), (requests) => {
			const measure = createPrefixMeter(sizes);
			let before: readonly string[] = [];
			for (const request of requests) {
				const written = request.map((message) => JSON.stringify(message));
				const differing = before.findIndex((line, i) => line !== written[i]);
				const shared = differing < 0 ? before.length : differing;
				expect(measure(request)).toMatchObject({
					tokens: request.flatMap((message) => sizes(message)).reduce((sum, tokens) => sum + tokens, 0),
					sharedMessages: shared,
					isExtension: shared === before.length,
				});
				before = written;
			}
		}),
	);
});

test("the first differing message shares its leading blocks", () => {
	const measure = createPrefixMeter(sizes);
	const [first, second] = history;
	if (first === undefined || second?.role !== "assistant") throw new Error("the history begins otherwise");
	measure([first, second]);
	const { sharedTokens, isExtension } = measure([first, { ...second, content: second.content.slice(0, 3) }]);
	const leading = [...sizes(first), ...sizes(second).slice(0, 3)];
	expect(sharedTokens).toBe(leading.reduce((sum, tokens) => sum + tokens, 0));
	expect(isExtension).toBe(false);
});

test("of a broken prefix, what an earlier request ended with is told apart", () => {
	const measure = createPrefixMeter(sizes);
	const tokensOf = (messages: readonly HostMessage[]) =>
		messages.flatMap((message) => sizes(message)).reduce((sum, tokens) => sum + tokens, 0);
	measure(history.slice(0, 2));
	expect(measure(history.slice(0, 5)).endedTokens).toBe(tokensOf(history.slice(0, 2)));
	const changed = [...history.slice(0, 4), user("otherwise")];
	expect(measure(changed).endedTokens).toBe(tokensOf(history.slice(0, 2)));
	expect(measure([...changed, user("more")]).endedTokens).toBe(tokensOf(changed));
	expect(measure([user("anew")]).endedTokens).toBe(0);
});
