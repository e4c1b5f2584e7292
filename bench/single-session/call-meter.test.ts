import { expect, test } from "vitest";
import type { NewCall } from "#testing/worker";
import { createCallMeter } from "./call-meter.ts";

const call = (name: string, input: NewCall["arguments"]): NewCall => ({ name, arguments: input });
const read = (path: string) => call("read", { path });
const grep = (pattern: string) => call("grep", { pattern });
const edit = (path: string) => call("edit", { path, edits: [] });
const bash = (command: string) => call("bash", { command });
const recall = call("recall", { query: "a" });

test.each([
	["a repeated read", 1, [read("a"), read("b"), read("a")]],
	["a repeated search", 1, [grep("x"), read("a"), grep("x")]],
	["a read after a change of another file", 1, [read("a"), edit("b"), read("a")]],
	["a read after a change of its file", 0, [read("a"), edit("a"), read("a")]],
	["a search after any change", 0, [grep("x"), edit("a"), grep("x")]],
	["a second read after a change", 1, [read("a"), edit("a"), read("a"), read("a")]],
	["another part of a file", 0, [read("a"), call("read", { path: "a", limit: 9 })]],
	["a repeated command", 0, [bash("ls"), bash("ls")]],
])("%s counts %i times", (_, count, calls) => {
	const meter = createCallMeter();
	for (const made of calls) meter.note(made);
	expect(meter.take().rereads).toBe(count);
});

test("reads and recalls are counted since they were taken last", () => {
	const meter = createCallMeter();
	for (const made of [read("a"), grep("x"), recall, read("a")]) meter.note(made);
	expect(meter.take()).toEqual({ reads: 2, rereads: 1, recalls: 1 });
	meter.note(read("a"));
	expect(meter.take()).toEqual({ reads: 1, rereads: 1, recalls: 0 });
});
