import fc from "fast-check";
import { expect, test } from "vitest";
import { removeNoise, shortenOutput } from "./shorten-output.ts";

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

test("text without noise stays as it is", () => {
	const text = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,20}$/)).map((lines) => lines.join("\n"));
	fc.assert(fc.property(text, (lines) => removeNoise(lines) === lines));
});

const figures = "a 10%\nb 20%\nc 30%";
const columns = "  50%    12\n  66%    13\n  75%    13";
const colored = "\u001b[31mfailed\u001b[0m in \u001b]8;;file:///a\u0007a.ts\u001b]8;;\u0007";
const bars = "10% [==>       ]\n40% [=====>    ]\n70% [=======>  ]\n100% [=========]";

test.each([
	["terminal sequences", colored, "failed in a.ts"],
	["lines drawn again", "10 %\r50 %\r100 %\ndone\r\nall\r\r\n", "100 %\ndone\r\nall\r\r\n"],
	[
		"repeated lines",
		`a${"\nno cache yet".repeat(9)}\nb`,
		"a\nno cache yet\n[the line above 8 times more]\nb",
	],
	["lines said twice", "one\ntwo\ntwo\n\n\nthree 5 %\n", "one\ntwo\ntwo\n\n\nthree 5 %\n"],
	["short repeated lines", "a\n0\n0\n0\nb", "a\n0\n0\n0\nb"],
	["blank lines", "a\n\n\n\n\nb", "a\n\nb"],
	["progress", `a\n${bars}\nb`, "a\n[3 lines of progress before this one]\n100% [=========]\nb"],
	["figures", figures, figures],
	["columns of figures", columns, columns],
])("of %s, what says something stays", (_what, text, left) => {
	expect(removeNoise(text)).toBe(left);
});
