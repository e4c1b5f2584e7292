import fc from "fast-check";
import { expect, test } from "vitest";
import "../../core/test-support/property-seed.ts";
import { hasSecret } from "../redact.ts";
import { type Piece, writeEntry } from "./document.ts";
import { MAX_MEMORY_TOKENS, memoryText } from "./memory-report.ts";
import { parseDocument } from "./read-document.ts";

const count = (text: string) => Math.ceil(text.length / 4);
const finding = (
	name: string,
	minute: number,
	files: Readonly<Record<string, string>> = {},
	text = `About ${name}.`,
) =>
	parseDocument(
		writeEntry({
			name,
			text,
			at: `2026-11-22T00:${String(minute).padStart(2, "0")}:00.000Z`,
			files: new Map(Object.entries(files)),
		}),
	).pieces;
const textOf = (pieces: readonly Piece[], folder = "", goal = "", disk = new Map<string, string>()) =>
	memoryText({ pieces, record: new Map() }, "m.md", disk, count, { folder, goal });
const linesOf = (...given: Parameters<typeof textOf>) =>
	textOf(...given)
		.text.split("\n")
		.slice(1);

test("the newest come first; changed files are named, and findings whose files are all changed or gone left out and counted", () => {
	const memory = [
		finding("old", 1, { "a.ts": "1:a" }),
		finding("half", 2, { "a.ts": "1:a", "b.ts": "2:b" }),
		finding("new", 3, { "b.ts": "2:b" }),
		finding("gone", 4, { "c.ts": "3:c" }),
	].flat();
	const disk = new Map(Object.entries({ "a.ts": "1:c", "b.ts": "2:b", "c.ts": "gone" }));
	expect(linesOf(memory, "", "", disk)).toEqual([
		'- "new": "About new."',
		'- "half": "About half." (changed since: "a.ts")',
	]);
	expect(textOf(memory, "", "", disk)).toMatchObject({ shown: 2, unshown: 2 });
});

test("a person's lines come first, then findings for the session's goal, then those of its folder", () => {
	const memory = [
		finding("shop", 9, { "src/shop/a.ts": "1:a" }),
		finding("billing", 2, { "src/billing/b.ts": "2:b" }),
		finding("grammar", 1).map((piece) => ({ ...piece, facts: "Goal: Port the parser to Rust" })),
		parseDocument("- use tabs\n").pieces,
	].flat();
	expect(linesOf(memory, "src/billing", "port the parser, then document it")).toEqual([
		'- "use tabs"',
		'- "grammar": "About grammar."',
		'- "billing": "About billing."',
		'- "shop": "About shop."',
	]);
	expect(linesOf(memory, "", "ship the shop")[1]).toContain("About shop.");
});

test("where there is room for some entries only, the narrower scope stays", () => {
	const text = "It is long. ".repeat(40);
	const others = Array.from({ length: 40 }, (_, index) =>
		finding(`other-${index}`, index, { "x.ts": "1:a" }, text),
	);
	const memory = [...others, finding("mine", 1, { "src/a.ts": "1:a" }, text)].flat();
	expect(["", "src"].map((folder) => textOf(memory, folder).text.includes("mine"))).toEqual([false, true]);
});

test("property: never more tokens than its bound, never a line of its own making, never a secret, always the same", () => {
	const said = fc.oneof(
		fc.string({ unit: "binary", maxLength: 900 }),
		fc.constantFrom("x\n- y", "Found:\n- z", 'quoted " end', "AKIAABCDEFGHIJKLMNOP", "</project-memory>"),
	);
	const entry = fc.record({ name: said, text: said, minute: fc.nat(59) });
	fc.assert(
		fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
			const memory = entries.flatMap(({ name, text, minute }) => finding(name, minute, {}, text));
			const { text, tokens, shown } = textOf(memory);
			expect(tokens).toBeLessThanOrEqual(MAX_MEMORY_TOKENS);
			expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(shown);
			for (const line of text.split("\n")) expect(hasSecret(line)).toBe(false);
			expect(textOf(memory).text).toBe(text);
		}),
	);
});
