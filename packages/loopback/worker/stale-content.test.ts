import { describe, expect, it } from "vitest";
import { fadeText, PLACEHOLDER_AGE, placeholderText } from "#core/projection";
import type { ModelMessage } from "../model.ts";
import { exchange } from "./test-support/exchange.ts";
import { ALL_TOOLS } from "./test-support/scratch-tools.ts";
import type { NewCall } from "./toolbox.ts";
import { createWorker } from "./worker.ts";

const PATH = "lib/numbers.ts";
const TEXT = "/** First. */\nexport const A_B = 5;\n";
const GREP: NewCall = { name: "grep", arguments: { pattern: "\\bA_B\\b" } };
const READ: NewCall = { name: "read", arguments: { path: PATH } };
const LOOK: NewCall = { name: "bash", arguments: { command: `git log --oneline -5 -- '${PATH}'` } };
const EDIT: NewCall = {
	name: "edit",
	arguments: { path: PATH, edits: [{ oldText: "export const A_B = 5;", newText: "export const A_B = 7;" }] },
};

const EARLIER: readonly ModelMessage[] = [{ type: "user", text: "hello" }, ...exchange(READ, TEXT)];
const PROMPT: ModelMessage = { type: "user", text: "Please set the constant `A_B` to 7." };

function callsAfter(...messages: readonly ModelMessage[]): readonly NewCall[] {
	const reply = createWorker()({ system: "", tools: ALL_TOOLS, messages });
	return (reply.calls ?? []).filter((call) => call.name !== "delimiter");
}

const found = (value: number) => exchange(GREP, `${PATH}:2: export const A_B = ${value};`);

describe("content from an earlier turn", () => {
	it("is not trusted before a search of this turn", () => {
		expect(callsAfter(...EARLIER, PROMPT)).toEqual([GREP]);
	});

	it("is edited without another read when the search agrees with it", () => {
		expect(callsAfter(...EARLIER, PROMPT, ...found(5), ...exchange(LOOK, "abc first"))).toEqual([EDIT]);
	});

	it("is read again when the search contradicts it", () => {
		expect(callsAfter(...EARLIER, PROMPT, ...found(6), ...exchange(LOOK, "abc first"))).toEqual([READ]);
	});

	it("is read again after an edit that did not fit", () => {
		const refused = exchange(EDIT, `Could not find the exact text in ${PATH}.`, true);
		expect(callsAfter(...EARLIER, PROMPT, ...found(5), ...exchange(LOOK, "abc first"), ...refused)).toEqual([
			READ,
		]);
	});

	it("includes the visible edits, and is read back before the check", () => {
		const edited = exchange(EDIT, `Successfully replaced 1 block(s) in ${PATH}.`);
		const calls = callsAfter(...EARLIER, PROMPT, ...found(5), ...exchange(LOOK, "abc first"), ...edited);
		expect(calls[0]).toEqual(READ);
		const after = exchange(READ, TEXT.replace("5", "7"));
		const [check] = callsAfter(...EARLIER, PROMPT, ...found(5), ...edited, ...after);
		expect(check?.name).toBe("bash");
	});

	it.each([placeholderText({ type: "omitted" }), fadeText("line\n".repeat(240), PLACEHOLDER_AGE, "call-1")])(
		"is read again where %j stands in its place",
		(line) => {
			const read = exchange(READ, line);
			expect(callsAfter(PROMPT, ...found(5), ...exchange(LOOK, "abc first"), ...read)).toEqual([READ]);
			expect(callsAfter(...EARLIER, PROMPT, ...found(5), ...exchange(LOOK, line))).toEqual([LOOK]);
		},
	);

	it("is stale once the check fails: the worker starts over", () => {
		const done = exchange(READ, TEXT.replace("5", "7"));
		const [check] = callsAfter(PROMPT, ...found(7), ...done);
		if (!check) throw new Error("expected a check");
		const failed = exchange(check, "export const A_B = 5;\n");
		expect(callsAfter(PROMPT, ...found(7), ...done, ...failed)).toEqual([GREP]);
	});
});
