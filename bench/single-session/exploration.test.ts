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

test("another part of a file does not repeat a read, and commands do not count", () => {
	expect(repeated(read("a"), { name: "read", arguments: { path: "a", limit: 9 } })).toBe(0);
	expect(repeated(bash("ls"), bash("ls"))).toBe(0);
});
