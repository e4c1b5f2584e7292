import fc from "fast-check";
import { expect, test } from "vitest";
import "../../core/test-support/property-seed.ts";
import { type Document, formatDocument } from "./document.ts";
import { findingsIn, mergeMemory } from "./merge-memory.ts";
import { parseDocument } from "./read-document.ts";

const time = (minute: number) => new Date(Date.UTC(2026, 10, 22, 0, minute)).toISOString();

type Files = Readonly<Record<string, string>>;
interface Draft {
	readonly session: string;
	/** In minutes. */
	readonly end: number;
	readonly findings?: readonly { name: string; text: string; goal?: string; files?: Files }[];
}

const session = ({ session: id, end, findings = [] }: Draft) => ({
	session: id,
	findings: findings.map((finding) => ({
		goal: "",
		at: time(end),
		...finding,
		files: new Map(Object.entries(finding.files ?? {})),
	})),
});

const textOf = ({ pieces, record }: Document) =>
	formatDocument(
		pieces.flatMap(({ lines }) => lines),
		record,
		"memory",
	);
const merge = (memory: Document | undefined, drafts: readonly Draft[], disk: Files = {}) =>
	mergeMemory(memory, drafts.map(session), new Map(Object.entries(disk)));
const write = (memory: Document | undefined, drafts: readonly Draft[], disk: Files = {}) =>
	textOf(merge(memory, drafts, disk).memory);
const namesIn = (text: string) => findingsIn(parseDocument(text)).map(({ name }) => name);

const parser: Draft = {
	session: "a",
	end: 1,
	findings: [
		{
			name: "find-parser",
			text: "It is in src/parse.ts.",
			goal: "port it",
			files: { "src/parse.ts": "9:ab" },
		},
		{
			name: "find-limits",
			text: "The widest is 80.",
			files: { "src/limits.ts": "3:aa", "src/read.ts": "4:bb" },
		},
		{ name: "find-grammar", text: "Decided: keep it.", files: { "src/parse.ts": "9:ab" } },
	],
};
const CHANGED = { "src/parse.ts": "10:cd", "src/read.ts": "gone" };

test("a fresh memory is Markdown with findings, their goal and files, and the sessions that are in it", () => {
	const parts = [
		"# Project memory\n\n[^#]*\n\n## Findings\n",
		"\n### find-parser\n\n_Goal: port it_\n\nIt is in src/parse\\.ts\\.\n\n- src/parse\\.ts 9:ab\n\n<!-- cwl \\S+ \\w+ -->\n",
		"\n### find-limits\n\nThe widest is 80\\.\n\n- src/limits\\.ts 3:aa\n- src/read\\.ts 4:bb\n\n<!-- cwl \\S+ \\w+ -->\n",
		"\n### find-grammar\n[^]*\n<!-- cwl-memory 1: .*\na 2026-11-22T00:01:00\\.000Z\n-->\n$",
	];
	expect(write(undefined, [parser])).toMatch(new RegExp(parts.join("")));
});

test("an entry leaves when all its files have changed, unless it holds a decision; such a finding is not added", () => {
	const memory = parseDocument(write(undefined, [parser]));
	expect(namesIn(write(memory, [], CHANGED))).toEqual(["find-limits", "find-grammar"]);
	expect(namesIn(write(undefined, [parser], CHANGED))).toEqual(["find-limits", "find-grammar"]);
});

test("files that are gone remove no entry: a sparse checkout or an older branch may lack them", () => {
	const memory = parseDocument(write(undefined, [parser]));
	const gone = { "src/parse.ts": "gone", "src/limits.ts": "gone", "src/read.ts": "gone" };
	for (const disk of [gone, { ...gone, "src/read.ts": "5:cc" }]) {
		expect(merge(memory, [], disk)).toMatchObject({ added: 0, removed: 0 });
		expect(namesIn(write(undefined, [parser], disk))).toHaveLength(3);
	}
});

test("what a person edited, added or deleted stays so, whatever the files are", () => {
	const edited = write(undefined, [parser])
		.replace("It is in src/parse.ts.", "The parser is hand-written.")
		.replace("## Findings\n", "## Findings\n\n- Ours: no network\n\n### style\n\nTabs.\n")
		.replace(/\n### find-limits[\s\S]*?-->\n/, "")
		.replace("Edit it like code", "Hands off")
		.replaceAll("\n", "\r\n");
	const again = write(parseDocument(edited), [parser], CHANGED);
	for (const line of edited.split("\n")) expect(again).toContain(line.trimEnd());
	expect(again).not.toContain("find-limits");
});

test("a fork, which holds the same episodes, adds nothing", () => {
	const memory = parseDocument(write(undefined, [parser]));
	expect(merge(memory, [{ ...parser, session: "fork" }])).toMatchObject({ added: 0, removed: 0 });
});

const line = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom("- x 1:a", "### a", "## Findings", "<!-- cwl 1 1 -->", "-->"),
	fc.constantFrom("# x", "", "a  b", "src/a.ts", "<b>", "\\<"),
);
const words = fc.array(line, { minLength: 1, maxLength: 3 }).map((parts) => `w${parts.join(" ")}`);
const files = fc.dictionary(
	fc.constantFrom("src/a.ts", "b c.ts", "<i>.ts", "__proto__x"),
	fc.constantFrom("1:a", "1:b", "gone"),
);
const finding = fc.record({ name: words, text: words, goal: words, files });
const draft = fc.record({
	session: fc.constantFrom("a", "b", "c"),
	end: fc.nat(9),
	findings: fc.array(finding, { maxLength: 3 }),
});
const drafts = fc.uniqueArray(draft, { selector: ({ session: id }) => id, maxLength: 3 });

test("property: deterministic, whatever the order; a second time changes nothing; what is written is read back", () => {
	fc.assert(
		fc.property(drafts, files, (given, disk) => {
			const text = write(undefined, given, disk);
			expect(write(undefined, given.toReversed(), disk)).toBe(text);
			const memory = parseDocument(text);
			expect(textOf(memory)).toBe(text);
			expect(write(memory, given, disk)).toBe(text);
			for (const piece of findingsIn(memory)) expect(piece.at).not.toBe("");
		}),
	);
});

test("property: no line of a file that anyone made is lost", () => {
	const anyText = fc
		.array(fc.oneof(line, words), { maxLength: 12 })
		.map((parts) => parts.join("\n").replaceAll("\0", ""));
	fc.assert(
		fc.property(anyText, drafts, files, (text, given, disk) => {
			const memory = parseDocument(text);
			const own = memory.pieces.flatMap((piece) => (piece.at === "" ? piece.lines : []));
			const after = write(memory, given, disk).split("\n");
			let at = -1;
			for (const each of own.filter((kept) => kept.trim() !== "")) {
				at = after.indexOf(each, at + 1);
				expect(at).toBeGreaterThanOrEqual(0);
			}
		}),
	);
});
