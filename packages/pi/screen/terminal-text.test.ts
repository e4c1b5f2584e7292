import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hang, plainLine, shorten, widthOf, wrap } from "./terminal-text.ts";

/** How wide pi takes a line for, by the program that refuses those that are too wide. */
const { visibleWidth } = await import(
	createRequire(import.meta.resolve("@mariozechner/pi-coding-agent")).resolve("@mariozechner/pi-tui")
);

const texts = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.string({ unit: "grapheme" }),
	fc.string({
		unit: fc.constantFrom("\u001b[31m", "\u001b]0;t\u0007", "漢", "é", "👩‍👩‍👧", "🇩🇪", "e\u0301", "\t", "x"),
	}),
);

test("no text is wider than its place, by our count nor by the terminal's", () => {
	fc.assert(
		fc.property(texts, fc.integer({ min: 0, max: 300 }), (text, width) => {
			expect(widthOf(shorten(text, width))).toBeLessThanOrEqual(width);
			expect(visibleWidth(shorten(text, width))).toBeLessThanOrEqual(width);
		}),
		{ numRuns: 1_000 },
	);
});

test("no single character is wider than we count it", () => {
	const wider: string[] = [];
	// Beyond lie ideographs and private use, which a whole block stands for.
	for (let point = 0x20; point < 0x20000; point += 1) {
		const character = plainLine(String.fromCodePoint(point));
		if (visibleWidth(character) > widthOf(character)) wider.push(character);
	}
	expect(wider).toEqual([]);
});

describe("a plain line", () => {
	test("holds no control character, whatever it is made of", () => {
		fc.assert(
			fc.property(texts, (text) => {
				expect(plainLine(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
			}),
		);
	});

	test("loses colours, titles and links, and keeps what stood between them", () => {
		const text = "a\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\u009b2Jz\nend";
		expect(plainLine(text)).toBe("ared link2Jz end");
	});
});

test("what is too long ends in an ellipsis, never within a wide character", () => {
	expect([shorten("漢字漢字", 8), shorten("漢字漢字", 6), shorten("abc", 3), shorten("abcd", 3)]).toEqual([
		"漢字漢字",
		"漢字…",
		"abc",
		"ab…",
	]);
});

test("a text of more lines than there are ends behind a part of its sentence, and never within a figure", () => {
	const text =
		"Cost $1.56: $0.31 less than with pi (300k tokens less) and $0.5 less without eviction (1.2M tokens less).";
	const linesOf = (width: number, most: number) =>
		wrap(text, width, most).map((line) => line.map((part) => part.text).join(""));
	expect(linesOf(40, 2)).toEqual(["Cost $1.56: $0.31 less than with pi", "(300k tokens less) …"]);
	expect(linesOf(40, 3).join(" ")).toBe(text);
	// Without the end of a part near, it ends behind a word.
	expect(linesOf(36, 1)).toEqual(["Cost $1.56: $0.31 less than with …"]);
	for (let width = 12; width < 110; width += 1) {
		const lines = linesOf(width, 2);
		expect(lines.length).toBeLessThanOrEqual(2);
		for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
		const words = lines.join(" ").replace(/ …$/, "");
		expect(`${text} `).toMatch(new RegExp(`^${words.replace(/[$().]/g, "\\$&")}[ ,.:]`));
	}
});

test("a text that hangs from its head breaks at words and keeps its column", () => {
	expect(hang("  regret   4 %  ", "of what passes took was read again", 36)).toBe(
		"  regret   4 %  of what passes took\n                was read again",
	);
	expect(hang("  budget ", "auto: at most 160k")).toBe("  budget auto: at most 160k");
});
