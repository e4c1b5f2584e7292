import { expect, test } from "vitest";
import { createExplorationMeter } from "./exploration.ts";

const read = (path: string) => ({ name: "read", arguments: { path } });
const grep = (pattern: string) => ({ name: "grep", arguments: { pattern } });
const edit = (path: string) => ({ name: "edit", arguments: { path, edits: [] } });
const bash = (command: string) => ({ name: "bash", arguments: { command } });

function repeated(...calls: readonly { name: string; arguments: Record<string, unknown> }[]): number {
	const meter = createExplorationMeter();
	meter.note(calls);
	return meter.repeated();
}

test("a repeated read or search of unchanged content counts", () => {
	expect(repeated(read("a"), read("b"), read("a"))).toBe(1);
	expect(repeated(grep("x"), read("a"), grep("x"))).toBe(1);
	expect(repeated(read("a"), edit("b"), read("a"))).toBe(1);
});

test("a read or search after a change does not count", () => {
	expect(repeated(read("a"), edit("a"), read("a"))).toBe(0);
	expect(repeated(grep("x"), edit("a"), grep("x"))).toBe(0);
});

test("the first read after a change is the first of the new content", () => {
	expect(repeated(read("a"), edit("a"), read("a"), read("a"))).toBe(1);
});

test("repair counts repeated looks and recalls, with what they brought", () => {
	const meter = createExplorationMeter();
	const recall = { name: "recall", arguments: { query: "a" } };
	const answer = (...texts: readonly string[]) => ({
		...{ system: "", tools: [] },
		messages: [
			{
				...{ type: "assistant" as const, thinking: "", text: "" },
				calls: texts.map((_, index) => ({ ...recall, id: `${index}` })),
			},
			...texts.map((text, index) => ({ type: "result" as const, callId: `${index}`, text, isError: false })),
		],
	});
	meter.note([read("a"), read("b")]);
	meter.arrived(answer("first", "first"));
	meter.note([read("a"), read("c"), recall]);
	meter.arrived(answer("12345678", "not again", "1234"));
	meter.note([read("d")]);
	meter.arrived(answer("first"));
	expect(meter.repair()).toEqual({ requests: 2, recalls: 1, tokens: 3 });
});

test("another part of a file does not repeat a read, and commands do not count", () => {
	expect(repeated(read("a"), { name: "read", arguments: { path: "a", limit: 9 } })).toBe(0);
	expect(repeated(bash("ls"), bash("ls"))).toBe(0);
});
