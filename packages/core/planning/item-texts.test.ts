import { expect, test } from "vitest";
import { call, fold, model, person, result, text } from "../test-support/message-builders.ts";
import { namesIn, shinglesIn } from "./item-texts.ts";

const digest = { lines: [1, 2], paths: ["src/a.ts"], names: [7] };

/** A reply, a call and its result, the last two with a digest. */
function items() {
	const asked = { ...call("c", "read"), digest };
	const [answer] = result("c").items;
	const answered = { author: "tool" as const, items: answer ? [{ ...answer, digest }] : [] };
	return fold(person(), model(text(), asked), answered).messages.flatMap((message) => message.items);
}

/** The number of shingles in a text. */
function countShingles(words: string): number {
	const [item] = items();
	return item ? shinglesIn({ textOf: () => words }, item).size : 0;
}

test("shingles are runs of four words", () => {
	expect(["one two three", "one two three four", "one two three four five six"].map(countShingles)).toEqual([
		0, 1, 3,
	]);
	expect(countShingles("a b c d a b c d a b c d")).toBe(4);
});

test("texts share the shingles of the runs that they share, and of no others", () => {
	const [first, second] = [items()[0], items()[0]];
	if (!first || !second) throw new Error("no item");
	const one = shinglesIn({ textOf: () => "the first part: a b c d e" }, first);
	const other = shinglesIn({ textOf: () => "A b c d e, a second part" }, second);
	expect([...one].filter((shingle) => other.has(shingle))).toHaveLength(1);
});

test("where the host gives no texts, the digests of calls and results stand in for them", () => {
	for (const item of items()) {
		const isKnown = item.type === "call" || item.type === "result";
		expect([...shinglesIn({}, item)]).toEqual(isKnown ? [1, 2] : []);
	}
	for (const item of items()) {
		const isKnown = item.type === "call" || item.type === "result";
		expect([...namesIn({}, item)]).toEqual(isKnown ? [7, "src/a.ts"] : []);
	}
});

test("a text is read once", () => {
	const [item] = items();
	let reads = 0;
	const textOf = () => {
		reads += 1;
		return "src/a.ts has parseBudget";
	};
	if (!item) throw new Error("no item");
	const marks = namesIn({ textOf }, item);
	expect([...marks]).toEqual(["src/a.ts", "a.ts", "parseBudget"]);
	expect(namesIn({ textOf }, item)).toBe(marks);
	expect(reads).toBe(1);
});
