import fc from "fast-check";
import { expect, test } from "vitest";
import "../../core/test-support/property-seed.ts";
import { type Document, formatDocument } from "./document.ts";
import { findingsIn, mergeMemory } from "./merge-memory.ts";
import { parseDocument } from "./read-document.ts";
import type { SessionFindings } from "./session-findings.ts";

const time = (minute: number) => new Date(Date.UTC(2026, 10, 22, 0, minute)).toISOString();

type Files = Readonly<Record<string, string>>;

interface Draft {
	readonly session: string;
	/** Minutes; a finding without a time of its own is as old. */
	readonly end: number;
	readonly findings?: readonly { readonly name: string; readonly text: string; readonly files?: Files }[];
	readonly decisions?: readonly string[];
	readonly files?: Files;
}

function session({ session: id, end, findings = [], decisions = [], files = {} }: Draft): SessionFindings {
	const at = time(end);
	return {
		session: id,
		end: at,
		secrets: [],
		files: new Map(Object.entries(files)),
		findings: findings.map((finding) => ({
			...{ goal: "", at, ...finding, files: new Map(Object.entries(finding.files ?? {})) },
		})),
		decisions: decisions.map((text) => ({ text, at })),
	};
}

function read(text: string): Document {
	const parsed = parseDocument(text, "memory");
	if (parsed.type === "refused") throw new Error(parsed.reason);
	expect(parsed.problems).toEqual([]);
	return parsed;
}

const write = (memory: Document | undefined, ...drafts: readonly Draft[]) =>
	formatDocument(mergeMemory(memory, drafts.map(session)).memory, "memory");

const parser: Draft = {
	session: "a",
	end: 1,
	decisions: ["Keep the grammar."],
	findings: [
		{ name: "find-parser", text: "The parser is in src/parse.ts.", files: { "src/parse.ts": "9:ab" } },
		{
			name: "find-limits",
			text: "Limits are in src/limits.ts. The widest is 80. They are read by src/read.ts.",
			files: { "src/limits.ts": "3:aa", "src/read.ts": "4:bb" },
		},
	],
};

test("a fresh memory is Markdown with decisions, findings, their files, and the sessions that are in it", () => {
	const marked = (text: string) => `${text.replaceAll(".", "\\.")} <!-- cwl \\S+ \\w+ -->`;
	const parts = [
		`# Project memory\n\n[^#]*\n\n## Decisions\n\n${marked("- Keep the grammar.")}\n`,
		"\n## Findings\n\n### find-parser\n\nThe parser is in src/parse\\.ts\\.\n\n- src/parse\\.ts 9:ab\n\n<!-- cwl \\S+ \\w+ -->\n",
		"\n### find-limits\n\nLimits [\\s\\S]*\n- src/limits\\.ts 3:aa\n- src/read\\.ts 4:bb\n\n<!-- cwl \\S+ \\w+ -->\n",
		"\n<!-- cwl-memory 1: .*\na 2026-11-22T00:01:00\\.000Z\n-->\n$",
	];
	expect(write(undefined, parser)).toMatch(new RegExp(parts.join("")));
});

test("a later session with other hashes removes an entry, or the sentences and files of it that changed", () => {
	const files = { "src/parse.ts": "10:cd", "src/read.ts": "gone", "src/x": "1:1" };
	const later = { session: "b", end: 2, files };
	const text = write(read(write(undefined, parser)), later);
	expect(text).not.toContain("find-parser");
	expect(text).toContain(
		"### find-limits\n\nLimits are in src/limits.ts. The widest is 80.\n\n- src/limits.ts 3:aa\n",
	);
	expect(text).toContain("Keep the grammar");
	expect(findingsIn(read(text))).toHaveLength(1);
});

test("an earlier session contradicts nothing, and what it found about a file that has changed since is not added", () => {
	const newer = { ...parser, session: "b", end: 9 };
	const old: Draft = {
		...{ session: "a", end: 2, files: { "src/parse.ts": "1:0" } },
		findings: [{ name: "old", text: "Stale.", files: { "src/parse.ts": "1:0" } }],
	};
	expect(write(read(write(undefined, newer)), old)).not.toContain("Stale");
	expect(write(read(write(undefined, newer)), old)).toContain("find-parser");
});

test("what a person edited, added or deleted stays so, whatever later sessions know", () => {
	const text = write(undefined, parser);
	const edited = text
		.replace("The parser is in src/parse.ts.", "The parser is hand-written.")
		.replace("## Decisions\n", "## Decisions\n\n- Ours: no network\n")
		.replace("## Findings\n", "## Findings\n\n### style\n\nTabs.\n")
		.replace(/\n### find-limits[\s\S]*?-->\n/, "")
		.replace("Edit it like code", "Hands off")
		.replaceAll("\n", "\r\n");
	const again = write(read(edited), parser, { session: "z", end: 5, files: { "src/parse.ts": "gone" } });
	for (const line of edited.split("\n")) expect(again).toContain(line.trimEnd());
	expect(again).not.toContain("find-limits");
	expect(again).toContain("The parser is hand-written.");
	expect(write(read(again), parser)).toBe(again);
});

test("a fork, which holds the same episodes, adds nothing", () => {
	const fork = session({ ...parser, session: "fork" });
	expect(mergeMemory(read(write(undefined, parser)), [fork])).toMatchObject({ added: 0, changed: 0 });
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
const draft = fc.record({
	session: fc.constantFrom("a", "b", "c"),
	end: fc.nat(9),
	findings: fc.array(fc.record({ name: words, text: words, goal: words, files }), { maxLength: 3 }),
	decisions: fc.array(words, { maxLength: 2 }),
	files,
});
const drafts = fc.uniqueArray(draft, { selector: ({ session: id }) => id, maxLength: 3 });
/** A session knows the files of its own findings as they are. */
const consistent = (given: readonly Draft[]): readonly Draft[] =>
	given.map(({ findings = [], files = {}, ...rest }) => {
		const statesOf = (own: Files = {}) =>
			Object.fromEntries(Object.entries(files).filter(([file, state]) => state !== "gone" && file in own));
		return {
			...{ ...rest, files },
			findings: findings.map((finding) => ({ ...finding, files: statesOf(finding.files) })),
		};
	});

test("property: deterministic, whatever the order; a second time changes nothing; what is written is read back", () => {
	fc.assert(
		fc.property(drafts, (given) => {
			const known = consistent(given);
			const text = write(undefined, ...known);
			expect(write(undefined, ...known.toReversed())).toBe(text);
			const memory = read(text);
			expect(formatDocument(memory, "memory")).toBe(text);
			expect(write(memory, ...known)).toBe(text);
			for (const piece of memory.pieces) if (piece.type !== "other") expect(piece.at).not.toBe("");
		}),
	);
});

test("property: no line of a file that anyone made is lost", () => {
	const anyText = fc
		.array(fc.oneof(line, words), { maxLength: 12 })
		.map((parts) => parts.join("\n").replaceAll("\0", ""));
	fc.assert(
		fc.property(anyText, drafts, (text, given) => {
			const parsed = parseDocument(text, "memory");
			if (parsed.type === "refused") return;
			const own = parsed.pieces.flatMap((piece) =>
				piece.type === "other" || piece.at === "" ? piece.lines : [],
			);
			const after = write(parsed, ...consistent(given)).split("\n");
			let at = -1;
			for (const each of own.filter((kept) => kept.trim() !== "")) {
				at = after.indexOf(each, at + 1);
				expect(at).toBeGreaterThanOrEqual(0);
			}
		}),
	);
});
