import { describe, expect, it } from "vitest";
import { ONE_LINE, reducedText } from "#core/projection";
import type { ModelMessage } from "../model.ts";
import { exchange, replyTo, user } from "./test-support/exchange.ts";
import type { NewCall } from "./toolbox.ts";

const PATH = "lib/numbers.ts";
const TEXT = "/** First. */\nexport const A_B = 5;\n";
const GREP: NewCall = { name: "grep", arguments: { pattern: "\\bA_B\\b" } };
const READ: NewCall = { name: "read", arguments: { path: PATH } };
const LOOK: NewCall = { name: "bash", arguments: { command: `git log --oneline -5 -- '${PATH}'` } };
const EDIT: NewCall = {
	name: "edit",
	arguments: { path: PATH, edits: [{ oldText: "export const A_B = 5;", newText: "export const A_B = 7;" }] },
};

const EARLIER: readonly ModelMessage[] = [user("hello"), ...exchange(READ, TEXT)];
const PROMPT = user("Please set the constant `A_B` to 7.");

const callsAfter = (...messages: readonly ModelMessage[]) => replyTo(messages).calls;
const found = (value: number) => exchange(GREP, `${PATH}:2: export const A_B = ${value};`);
/** Behind a search that agrees with the text, and a look into the history. */
const afterLook = (value: number, ...messages: readonly ModelMessage[]) =>
	callsAfter(...EARLIER, PROMPT, ...found(value), ...exchange(LOOK, "abc first"), ...messages);

describe("content from an earlier turn", () => {
	it("is not trusted before a search of this turn", () => {
		expect(callsAfter(...EARLIER, PROMPT)).toEqual([GREP]);
	});

	it("is edited without another read when the search agrees with it", () => {
		expect(afterLook(5)).toEqual([EDIT]);
	});

	it("is read again when the search contradicts it", () => {
		expect(afterLook(6)).toEqual([READ]);
	});

	it("is read again after an edit that did not fit", () => {
		const refused = exchange(EDIT, `Could not find the exact text in ${PATH}.`, true);
		expect(afterLook(5, ...refused)).toEqual([READ]);
	});

	it("includes the visible edits, and is read back before the check", () => {
		const edited = exchange(EDIT, `Successfully replaced 1 block(s) in ${PATH}.`);
		const calls = afterLook(5, ...edited);
		expect(calls[0]).toEqual(READ);
		const after = exchange(READ, TEXT.replace("5", "7"));
		const [check] = callsAfter(...EARLIER, PROMPT, ...found(5), ...edited, ...after);
		expect(check?.name).toBe("bash");
	});

	it("is read again where a placeholder stands in its place", () => {
		const line = reducedText("line\n".repeat(240), ONE_LINE, "call-1");
		const read = exchange(READ, line);
		expect(callsAfter(PROMPT, ...found(5), ...exchange(LOOK, "abc first"), ...read)).toEqual([READ]);
		expect(callsAfter(...EARLIER, PROMPT, ...found(5), ...exchange(LOOK, line))).toEqual([LOOK]);
	});

	it("is stale once the check fails: the worker starts over", () => {
		const done = exchange(READ, TEXT.replace("5", "7"));
		const [check] = callsAfter(PROMPT, ...found(7), ...done);
		if (!check) throw new Error("expected a check");
		const failed = exchange(check, "export const A_B = 5;\n");
		expect(callsAfter(PROMPT, ...found(7), ...done, ...failed)).toEqual([GREP]);
	});
});
