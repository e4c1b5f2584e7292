import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { itemIn } from "./graph.ts";

const { call, fold, model, note, person, result, text } = draft;

test("an item is found again behind a summary, a note under the id that it has there; nothing of what was summarized is", () => {
	const kept = [note(), model(text(7)), person(5)];
	const whole = fold(person(60), model(call("a", "read")), result("a", 90), ...kept);
	const items = whole.messages.flatMap((message) => message.items);
	const next = fold(person(20), ...kept);
	const [, noted, said, asked] = next.messages.flatMap((message) => message.items);
	expect(noted?.id).not.toBe(items[3]?.id);
	expect(items.map((item) => itemIn(next, whole, item))).toEqual([
		...[undefined, undefined, undefined],
		...[noted, said, asked],
	]);
	expect(items.map((item) => itemIn(whole, whole, item))).toEqual(items);
});
