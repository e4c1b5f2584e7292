import { expect, test } from "vitest";
import { shortenOutput } from "./shorten-output.ts";

/** A token has four characters. */
const count = (text: string) => Math.ceil(text.length / 4);
const call = { callId: "call_7", words: 'I run it {"command":"make testParser"}' };
const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index} of the log goes here`);
const log = (change: Readonly<Record<number, string>> = {}) =>
	lines.map((line, index) => change[index] ?? line).join("\n");

test("an output within its limit, or little over it, stays as it is", () => {
	const text = log();
	for (const limit of [count(text), count(text) * 0.95])
		expect(shortenOutput(text, limit, call, count)).toBe(text);
});

test("head and tail stay in whole lines, and the line between them names the call to recall", () => {
	const short = shortenOutput(log(), 1_000, call, count);
	const shown = short.split("\n");
	expect(shown[0]).toBe(lines[0]);
	expect(shown.at(-1)).toBe(lines.at(-1));
	const own = shown.filter((line) => !lines.includes(line));
	expect(own).toHaveLength(1);
	expect(own[0]).toMatch(/^\[about \d+ tokens left out here; recall "call_7" gives the whole output\]$/);
	expect(count(short)).toBeLessThan(1_000);
	expect(count(short)).toBeGreaterThan(700);
});

test("of the rest, lines with errors and with names of the call stay", () => {
	const marked = { 400: "TypeError: x is not a function", 500: "ran testParser in 3 ms", 600: "3 failed" };
	const shown = shortenOutput(log(marked), 1_000, call, count).split("\n");
	for (const line of Object.values(marked)) expect(shown).toContain(line);
});

test("however many lines have errors, the limit holds", () => {
	const errors = Array.from({ length: 5_000 }, (_, index) => `error number ${index} in the log`).join("\n");
	expect(count(shortenOutput(errors, 1_000, call, count))).toBeLessThan(1_150);
	const oneLine = "x".repeat(100_000);
	expect(count(shortenOutput(oneLine, 1_000, call, count))).toBeLessThan(1_000);
});

test("no character is split", () => {
	const short = shortenOutput("😀".repeat(20_000), 1_000, call, count);
	// An escape of half a character throws.
	expect(() => encodeURIComponent(short)).not.toThrow();
});
