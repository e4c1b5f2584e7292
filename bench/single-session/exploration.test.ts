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

test("what is looked at again and has not changed since counts", () => {
	expect(repeated(read("a"), read("b"), read("a"))).toBe(1);
	expect(repeated(grep("x"), read("a"), grep("x"))).toBe(1);
	expect(repeated(read("a"), edit("b"), read("a"))).toBe(1);
});

test("what has changed since may be looked at again", () => {
	expect(repeated(read("a"), edit("a"), read("a"))).toBe(0);
	expect(repeated(grep("x"), edit("a"), grep("x"))).toBe(0);
});

test("a look at the change counts as the first one of its state", () => {
	expect(repeated(read("a"), edit("a"), read("a"), read("a"))).toBe(1);
});

test("another part of a file is another look, and commands are left out", () => {
	expect(repeated(read("a"), { name: "read", arguments: { path: "a", limit: 9 } })).toBe(0);
	expect(repeated(bash("ls"), bash("ls"))).toBe(0);
});
