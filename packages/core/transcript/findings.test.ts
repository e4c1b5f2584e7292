import { expect, test } from "vitest";
import { addFindings, findingsIn } from "./findings.ts";

test("labelled lines follow what else a text states, and stay where both are too long", () => {
	const learned = "The limit is 100, set in src/m2.ts.";
	expect(findingsIn(`To do: the tests.\n${learned}`, true)).toBe(`${learned}\nTo do: the tests.`);
	expect(findingsIn(`${learned} Decided: keep it.`, false)).toBe(`${learned}\nDecided: keep it.`);
	const long = findingsIn(`Found ${"x".repeat(900)}\nOpen: the tests.`, true);
	expect(long).toHaveLength(400);
	expect(long).toMatch(/\nOpen: the tests\.$/);
});

test.each<readonly [string, string?]>([
	["The limit is 100, set in src/m2.ts; three callers use it."],
	["Die Grenze steht in `src/m2.ts`. Sie gilt je Konto."],
	["Then parseDate has to change:", ""],
	["I have decided to keep it, because nothing else works.", ""],
	["2. Read on\nLooks good.", ""],
])("a text before a call says what its sentences name, in any language: %j", (text = "", stated = text) => {
	expect(findingsIn(text, false)).toBe(stated);
});

test("an answer without calls is kept from its beginning, in any language", () => {
	expect(findingsIn("The parser reads dates now.\n\nAll tests pass.", true)).toBe(
		"The parser reads dates now.\nAll tests pass.",
	);
	expect(findingsIn("日付は src/dates.ts で決まる。\nOpen: テスト\n---", true)).toBe(
		"日付は src/dates.ts で決まる。\nOpen: テスト",
	);
});

test("findings are of bounded length, and the oldest lines leave first, those without a label before others", () => {
	expect(findingsIn(`Found ${"x".repeat(9_000)}`, true)).toHaveLength(400);
	const many = Array.from({ length: 50 }, (_, line) => `Decided: rule number ${line}.`);
	const all = many.reduce<string | undefined>(addFindings, undefined) ?? "";
	expect(all.length).toBeLessThanOrEqual(400);
	expect(all.split("\n")).toEqual(many.slice(-all.split("\n").length));
	const plain = `The limit ${"of src/a.ts ".repeat(15)}is 100.`;
	expect(addFindings([many[0], plain].join("\n"), "Found: nothing more. ".repeat(12))).not.toContain(plain);
	expect(addFindings([plain, many[0]].join("\n"), "Found: nothing more. ".repeat(12))).toContain(many[0]);
	expect(addFindings(plain, plain)).toBe(plain);
});
