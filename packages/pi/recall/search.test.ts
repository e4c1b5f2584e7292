import fc from "fast-check";
import { expect, test } from "vitest";
import { type Search, searchLiteral, searchWords } from "./search.ts";

const numbered = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join("\n");

function shown(search: Search, text: string): readonly string[] {
	return search(text).map(({ from, to }) => text.slice(from, to));
}

test("a literal is found whatever its case, with three lines on either side", () => {
	const lines = numbered.split("\n");
	expect(shown(searchLiteral("LINE 15"), numbered)).toEqual([lines.slice(11, 18).join("\n")]);
	expect(shown(searchLiteral("line 2\nline 3"), numbered)).toEqual([lines.slice(0, 6).join("\n")]);
	expect(shown(searchLiteral("a.b(c*"), "x a.b(c* y\naxb")).toEqual(["x a.b(c* y\naxb"]);
	expect(searchLiteral("line 31")(numbered)).toEqual([]);
	expect(searchLiteral("")(numbered)).toEqual([]);
});

test("hits whose lines meet are shown as one stretch, others apart", () => {
	expect(shown(searchLiteral("line"), numbered)).toEqual([numbered]);
	const [first, second] = shown(searchLiteral("0"), numbered);
	expect(first?.split("\n").at(-1)).toBe("line 13");
	expect(second?.split("\n")[0]).toBe("line 17");
});

test("all words must stand in the text, and the lines that hold most of them are shown", () => {
	const text = `red\n${"-\n".repeat(9)}green red\n${"-\n".repeat(9)}green`;
	expect(shown(searchWords("red GREEN"), text)).toEqual(["-\n-\n-\ngreen red\n-\n-\n-"]);
	expect(searchWords("red blue")(text)).toEqual([]);
	expect(searchWords("  ")(text)).toEqual([]);
});

test("of a very long line only the neighbourhood of the hit is shown", () => {
	const text = `${"😀".repeat(5_000)}needle${"😀".repeat(5_000)}`;
	for (const search of [searchLiteral("needle"), searchWords("needle")]) {
		const [part = ""] = shown(search, text);
		expect(part).toContain("needle");
		expect(part.length).toBeLessThan(1_300);
		expect(encodeURIComponent(part).length).toBeGreaterThan(0);
	}
});

test("stretches hold their hits, come in order and never overlap", () => {
	const word = fc.constantFrom("a", "b", "needle", "\n", " ", "İ", "ß", "x".repeat(700));
	fc.assert(
		fc.property(fc.array(word, { maxLength: 60 }), (words) => {
			const text = words.join("");
			for (const search of [searchLiteral("needle"), searchWords("needle")]) {
				const ranges = search(text);
				expect(ranges.length > 0).toBe(text.includes("needle"));
				for (const { from, to } of ranges) expect(text.slice(from, to)).toContain("needle");
				for (const [i, { from }] of ranges.entries()) {
					expect(from).toBeGreaterThan(ranges[i - 1]?.to ?? -1);
				}
			}
		}),
	);
});
