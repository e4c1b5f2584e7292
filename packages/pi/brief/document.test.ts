import fc from "fast-check";
import { expect, test } from "vitest";
import "../../core/test-support/property-seed.ts";
import { formatDocument, tidy, writeEntry } from "./document.ts";
import { parseDocument } from "./read-document.ts";

const at = "2026-11-22T00:01:00.000Z";
const files = new Map([["a.ts", "1:ab"]]);
const finding = writeEntry({ name: "find-a", text: "A is 1.", at, files });
const memory = formatDocument(["# M\n", finding], new Map(), "memory");

const madeOf = (text: string) => parseDocument(text).pieces.filter(({ type }) => type !== "other");

test.each([
	[
		"the mark of a merge",
		`<<<<<<< HEAD\n${memory}`,
		'line 1: "<<<<<<< HEAD": this is the mark of a merge: resolve it',
	],
	["bytes", `${memory}\0`, "no text"],
	[
		"a newer version",
		memory.replace("cwl-memory 1", "cwl-memory 12"),
		"cwl-memory is 12, and this cwl reads up to 1; a newer cwl wrote it: update cwl.",
	],
])("a file with %s is refused with place and remedy", (_what, text, said) => {
	expect(() => parseDocument(text)).toThrow(said);
});

test.each([
	["a path out of the repository", "- a.ts", "- ../b.ts 1:ab\n- a.ts", { text: "A is 1.\n\n- ../b.ts 1:ab" }],
	["another state of a file", "1:ab", "1:ac", { files: new Map([["a.ts", "1:ac"]]) }],
	["a time that is none", /cwl 2026\S+/, "cwl soon", {}],
	["another heading", "find-a", "find-b", { name: "find-b" }],
])("an entry with %s is a person's, and holds as it is", (_what, old, text, read) => {
	const entry = { name: "find-a", text: "A is 1.", files, at: "", isEdited: true, ...read };
	expect(madeOf(memory.replace(old, text))).toMatchObject([entry]);
});

test("a file that a person wrote from nothing is read; a record with a wrong line ends there", () => {
	const text =
		"# Ours\n\n* use tabs\n\n### errors\nThrow CwlError.\n## Rest\nprose\n<!-- cwl-memory 1:\nsoon\n- x";
	expect(madeOf(text)).toMatchObject([
		{ type: "item", text: "use tabs", section: "Ours", isEdited: true },
		{ type: "entry", name: "errors", text: "Throw CwlError.", isEdited: true },
		{ type: "item", text: "x" },
	]);
});

const line = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom("## Goal", "### a", "# x", "_x_", "\\# y", "<!-- cwl 1 -->"),
	fc.constantFrom("\\\\_z", "", "a  b", "- x 1:a", "======="),
);
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const facts = fc.constantFrom("", "expl; open", "Goal: <b> _x_");
const drafts = fc.array(fc.record({ name: line, text, facts }), { maxLength: 4 });

test("property: an entry reads back as it was written, whatever its texts are, and counts as edited once it was", () => {
	fc.assert(
		fc.property(drafts, (given) => {
			const parts = ["# Brief\n\n## Episodes\n", ...given.map(writeEntry), "## Mine\n\n- one"];
			const written = formatDocument(parts, new Map([["session", "s1"]]), "brief");
			const entriesIn = (file: string) => madeOf(file).filter(({ type }) => type === "entry");
			for (const file of [written, written.replaceAll("\n", "\r\n")]) {
				expect(entriesIn(file).map((entry) => [entry.text, entry.facts, entry.isEdited])).toEqual(
					given.map((draft) => [tidy(draft.text), draft.facts, false]),
				);
				expect(parseDocument(file).record).toEqual(new Map([["session", "s1"]]));
			}
			const edited = entriesIn(written.replaceAll("<!-- cwl ", "more\n<!-- cwl "));
			expect(edited.every(({ isEdited }) => isEdited)).toBe(true);
		}),
	);
});

test.each([
	["spaces within an item", `- ${" ".repeat(900_000)}x\n`],
	["empty entries", "### a\n".repeat(100_000)],
	["lines that are wrong", "<!-- cwl abc -->\n".repeat(50_000)],
])("a megabyte of %s is read to its end", (_, text) => {
	const read = parseDocument(text).pieces.flatMap(({ lines }) => lines);
	expect(formatDocument(read, new Map(), "memory").replace(/\n+/g, "\n")).toContain(text);
});
