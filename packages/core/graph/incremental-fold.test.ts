import { expect, test } from "vitest";
import { build, model, person, text } from "../test-support/message-builders.ts";
import type { TranscriptMessage } from "../transcript/transcript.ts";
import { createIncrementalFold } from "./incremental-fold.ts";

const [first, second, third] = build([person(), model(text()), person()]);

function push(list: TranscriptMessage[], ...messages: readonly (TranscriptMessage | undefined)[]) {
	for (const message of messages) if (message) list.push(message);
}

test("a list that has grown is read from where it was read to", () => {
	const taken: string[] = [];
	const authors = createIncrementalFold<string[]>(
		() => [],
		(seen, { author }) => {
			seen.push(author);
			taken.push(author);
		},
	);
	const list: TranscriptMessage[] = [];
	push(list, first, second);
	expect(authors(list)).toEqual(["user", "model"]);
	push(list, third);
	expect(authors(list)).toEqual(["user", "model", "user"]);
	expect(authors(list)).toEqual(["user", "model", "user"]);
	expect(taken).toEqual(["user", "model", "user"]);
});

test("each list has a reading of its own", () => {
	const count = createIncrementalFold(
		() => ({ messages: 0 }),
		(sofar) => {
			sofar.messages += 1;
		},
	);
	const [one, other]: TranscriptMessage[][] = [[], []];
	push(one ?? [], first);
	push(other ?? [], first, second);
	expect(count(one ?? []).messages).toBe(1);
	expect(count(other ?? []).messages).toBe(2);
	expect(count(one ?? []).messages).toBe(1);
});
