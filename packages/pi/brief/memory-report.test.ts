import fc from "fast-check";
import { expect, test } from "vitest";
import "../../core/test-support/property-seed.ts";
import { hasSecret } from "../redact.ts";
import { type Document, type Piece, writeEntry, writeItem } from "./document.ts";
import { MAX_MEMORY_TOKENS, memoryText } from "./memory-report.ts";
import { emptyMemory } from "./merge-memory.ts";
import { parseDocument } from "./read-document.ts";

const count = (text: string) => Math.ceil(text.length / 4);
const at = (minute: number) => `2026-11-22T00:${String(minute).padStart(2, "0")}:00.000Z`;
const memoryOf = (...pieces: readonly Piece[]): Document => ({ ...emptyMemory(), pieces });
const finding = (name: string, minute: number, files: Readonly<Record<string, string>> = {}) =>
	writeEntry({
		...{ section: "Findings", name, text: `About ${name}.`, at: at(minute) },
		files: new Map(Object.entries(files)),
	});

test("decisions come first, then the newest findings; outdated ones are left out and counted", () => {
	const memory = memoryOf(
		finding("old", 1, { "a.ts": "1:a" }),
		finding("half", 2, { "a.ts": "1:a", "b.ts": "2:b" }),
		finding("new", 3, { "b.ts": "2:b" }),
		writeItem("Decisions", "Keep it.", at(1)),
	);
	const disk = new Map(Object.entries({ "a.ts": "1:c", "b.ts": "2:b" }));
	const { text, shown, unshown } = memoryText(memory, "m.md", disk, count);
	expect(text.split("\n").slice(1)).toEqual([
		"Decided:",
		'- "Keep it."',
		"Found:",
		'- "new": "About new."',
		'- "half": "About half." (changed since: "a.ts")',
	]);
	expect([shown, unshown]).toEqual([3, { room: 0, changed: 1, secret: 0 }]);
});

test("findings for the session's goal come first, then those of its folder, then decisions and the project's", () => {
	const memory = memoryOf(
		finding("shop", 9, { "src/shop/a.ts": "1:a" }),
		finding("billing", 2, { "src/billing/b.ts": "2:b" }),
		{ ...finding("grammar", 1), goal: "Port the parser to Rust" },
		writeItem("Decisions", "Keep it.", at(5)),
	);
	const heads = (folder: string, goal: string) =>
		memoryText(memory, "m.md", new Map(), count, { folder, goal }).text.split("\n").slice(1);
	expect(heads("src/billing", "port the parser, then document it")).toEqual([
		...["Found for a goal like yours:", '- "grammar": "About grammar."'],
		...["Found in your folder:", '- "billing": "About billing."'],
		...["Decided:", '- "Keep it."', "Found:", '- "shop": "About shop."'],
	]);
	expect(heads("", "ship the shop").filter((line) => line.endsWith(":"))).toEqual(["Decided:", "Found:"]);
});

test("where there is room for some entries only, the narrower scope stays", () => {
	const long = (name: string, minute: number, file: string) => ({
		...finding(name, minute, { [file]: "1:a" }),
		text: "It is long. ".repeat(40),
	});
	const others = Array.from({ length: 40 }, (_, index) => long(`other-${index}`, 20 + index, "x.ts"));
	const memory = memoryOf(...others, long("mine", 1, "src/a.ts"));
	const shown = (folder: string) =>
		memoryText(memory, "m.md", new Map(), count, { folder, goal: "" }).text.includes("mine");
	expect([shown(""), shown("src")]).toEqual([false, true]);
});

test("a secret that a person wrote into the file is not sent", () => {
	const parsed = parseDocument("- the key is AKIAABCDEFGHIJKLMNOP\n- use tabs\n", "memory");
	const memory = parsed.type === "read" ? parsed : emptyMemory();
	const { text, unshown } = memoryText(memory, "m.md", new Map(), count);
	expect(text).toContain("use tabs");
	expect(text).not.toContain("AKIA");
	expect(unshown.secret).toBe(1);
});

test("property: never more tokens than its bound, never a line of its own making, never a secret, always the same", () => {
	const said = fc.oneof(
		fc.string({ unit: "binary", maxLength: 900 }),
		fc.constantFrom("x\n- y", "Found:\n- z", 'quoted " end', "AKIAABCDEFGHIJKLMNOP", "</project-memory>"),
	);
	const entry = fc.record({ name: said, text: said, minute: fc.nat(59), isNote: fc.boolean() });
	fc.assert(
		fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
			const write = ({ name, text, minute, isNote }: (typeof entries)[number]) =>
				isNote
					? writeItem("Decisions", text, at(minute))
					: writeEntry({ section: "Findings", name, text, at: at(minute) });
			const memory = memoryOf(...entries.map(write));
			const { text, tokens, shown } = memoryText(memory, "m.md", new Map(), count);
			expect(tokens).toBeLessThanOrEqual(MAX_MEMORY_TOKENS);
			expect(text.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(shown);
			for (const line of text.split("\n")) expect(hasSecret(line)).toBe(false);
			expect(memoryText(memory, "m.md", new Map(), count).text).toBe(text);
		}),
	);
});
