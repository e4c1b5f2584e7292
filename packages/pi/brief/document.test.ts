import fc from "fast-check";
import { expect, test } from "vitest";
import "../../core/test-support/property-seed.ts";
import { formatDocument, otherLines, tidy, writeEntry } from "./document.ts";
import { emptyMemory } from "./merge-memory.ts";
import { parseDocument } from "./read-document.ts";

const at = "2026-11-22T00:01:00.000Z";
const finding = writeEntry({
	section: "Findings",
	name: "find-a",
	text: "A is 1.",
	at,
	files: new Map([["a.ts", "1:ab"]]),
});
const memory = formatDocument({ ...emptyMemory(), pieces: [...emptyMemory().pieces, finding] }, "memory");

const instead = (old: string | RegExp, text: string) => memory.replace(old, text);

const madeOf = (text: string) => {
	const parsed = parseDocument(text, "memory");
	return parsed.type === "read" ? parsed.pieces.filter(({ type }) => type !== "other") : [];
};
const problemsOf = (text: string) => {
	const parsed = parseDocument(text, "memory");
	return parsed.type === "read" ? parsed.problems : [parsed.reason];
};

const aFile = "a file of this repository is followed";

test.each([
	["a row of a file", instead("1:ab", "1:zz"), `line \\d+: "- a\\.ts 1:zz": ${aFile}`],
	["a file outside", instead("- a.ts", "- ../../etc/x"), `line \\d+: "- ../../etc/x 1:ab": ${aFile}`],
	["a time", instead(/cwl 2026\S+/, "cwl soon"), 'line \\d+: "<!-- cwl soon \\w+ -->": this is no time'],
	["a mark without an entry", `<!-- cwl ${at} 1 -->\n${memory}`, "line 1: .*: this mark follows no entry"],
	["a session", instead("\n-->\n", "\nabc soon\n-->\n"), 'line \\d+: "abc soon": a session is followed by'],
	["a merge", `<<<<<<< HEAD\n${memory}`, 'line 1: "<<<<<<< HEAD": this is the mark of a merge: resolve it'],
	["a newer version", instead("y 1", "y 2"), "cwl-memory is 2, and this cwl reads up to 1; .*update cwl"],
	["bytes", `${memory}\0`, ".*no text"],
])("%s that is wrong is named with line, value and remedy", (_what, text, said) => {
	expect(problemsOf(text)).toEqual([expect.stringMatching(new RegExp(`^${said}`))]);
});

test("what is valid next to it still holds, and no path leads out of the repository", () => {
	const text = `<<<<<<< HEAD\n- ours\n${memory.replace("- a.ts", "- ../b.ts 1:ab\n- a.ts")}`;
	expect(parseDocument(text, "memory")).toMatchObject({ type: "read", isInConflict: true });
	expect(madeOf(text)).toMatchObject([
		{ type: "item", text: "ours", at: "" },
		{ type: "entry", name: "find-a", text: "A is 1.", at: "", files: new Map([["a.ts", "1:ab"]]) },
	]);
});

test("a file that a person wrote from nothing is read", () => {
	expect(madeOf("# Ours\n\n* use tabs\n\n### errors\nThrow CwlError.\n## Rest\nprose")).toMatchObject([
		{ type: "item", text: "use tabs", section: "Ours", isEdited: true },
		{ type: "entry", name: "errors", text: "Throw CwlError.", isEdited: true },
	]);
});

test("the format of marks is fixed: a file of yesterday is read as what cwl wrote", () => {
	const old =
		"## Decisions\n\n- keep the port as it is <!-- cwl 2026-11-22T20:48:56.410Z 7a522cd4 -->\n\n## Findings\n\n### find-server.txt\n\n" +
		"The port is in server.txt, line 1.\n\n- server.txt 23:35d4fddc1c53\n\n<!-- cwl 2026-11-22T20:48:56.410Z cabe5096 -->\n";
	const times = madeOf(old).map(({ at: time }) => time);
	expect(times).toEqual(["2026-11-22T20:48:56.410Z", "2026-11-22T20:48:56.410Z"]);
});

const line = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom("## Goal", "### a", "# x", "_x_", "\\# y", "<!-- cwl 1 -->"),
	fc.constantFrom("\\\\_z", "", "a  b", "- x 1:a", "======="),
);
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const drafts = fc.array(fc.record({ name: line, text, facts: fc.constantFrom("", "expl; open") }), {
	maxLength: 4,
});

test("property: an entry reads back as it was written, whatever its texts are, and counts as edited once it was", () => {
	fc.assert(
		fc.property(drafts, (given) => {
			const entries = given.map((draft) => writeEntry({ section: "Episodes", ...draft }));
			const pieces = [
				...otherLines("# Brief\n\n## Episodes\n"),
				...entries,
				...otherLines("## Mine\n\n- one"),
			];
			const written = formatDocument({ pieces, record: new Map([["session", "s1"]]) }, "brief");
			for (const file of [written, written.replaceAll("\n", "\r\n")]) {
				const parsed = parseDocument(file, "brief");
				if (parsed.type === "refused") throw new Error(parsed.reason);
				const read = parsed.pieces.filter((piece) => piece.type === "entry");
				expect(parsed.problems).toEqual([]);
				expect(read.map((entry) => [entry.text, entry.isEdited])).toEqual(
					given.map((draft) => [tidy(draft.text), false]),
				);
				expect(parsed.record.get("session")).toBe("s1");
			}
			const edited = parseDocument(written.replaceAll("<!-- cwl ", "more\n<!-- cwl "), "brief");
			const found = edited.type === "read" ? edited.pieces.filter((piece) => piece.type === "entry") : [];
			expect(found.every(({ isEdited }) => isEdited)).toBe(true);
		}),
	);
});

test.each([
	["spaces within an item", `- ${" ".repeat(900_000)}x\n`, 0],
	["empty entries", "### a\n".repeat(100_000), 0],
	["lines that are wrong", "<!-- cwl abc -->\n".repeat(50_000), 21],
])("a megabyte of %s is read to its end, and its problems fit a screen", (_, text, problems) => {
	const parsed = parseDocument(text, "memory");
	if (parsed.type === "refused") throw new Error(parsed.reason);
	expect(parsed.problems).toHaveLength(problems);
	expect(formatDocument(parsed, "memory").replace(/\n+/g, "\n")).toContain(text);
});
