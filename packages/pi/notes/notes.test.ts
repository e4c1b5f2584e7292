import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNotes, type Notes, parseNotes, tidy } from "./notes-file.ts";

const line = fc.oneof(
	fc.string({ unit: "binary" }),
	fc.constantFrom("## Goal", "### a", "# x", "_x_", "\\# y", "<!-- cwl 1 -->", "\\\\_z", "", "a  b"),
);
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
const heading = fc
	.string()
	.map((name) => tidy(name).replace(/\s+/g, " "))
	.filter((name) => name !== "");

const notes: fc.Arbitrary<Notes> = fc.record({
	title: fc.constant("Session 1."),
	goal: text,
	episodes: fc.uniqueArray(fc.record({ heading, facts: heading, description: text }), {
		selector: (episode) => episode.heading,
		maxLength: 4,
	}),
	others: fc.constantFrom("", "## Mine\n\n- one\n### below\n\ntext", "## A\n\nx\n\n## B\n\ny"),
});
const headingsOf = ({ episodes }: Notes) => episodes.map((episode) => episode.heading);

test("a file that nobody touched holds no edit, whatever the texts are, and keeps the person's own sections", () => {
	fc.assert(
		fc.property(notes, (each) => {
			const { goal, descriptions, others } = parseNotes(formatNotes(each), headingsOf(each));
			expect([goal, [...descriptions]]).toEqual([undefined, []]);
			expect(others.replace(/\n+/g, "\n")).toBe(each.others.replace(/\n+/g, "\n"));
		}),
	);
});

test("an edit is read back as it was written, with line ends of any kind", () => {
	const each: Notes = {
		title: "Session 1.",
		goal: "ship",
		episodes: [
			{ heading: "look", facts: "expl", description: "old" },
			{ heading: "fix", facts: "act", description: "" },
		],
		others: "",
	};
	const edited = formatNotes(each)
		.replace("\nship\n", "\nship on Thursday\n- no new dependency\n")
		.replace("_act_\n", "_act_\n\nnew\n\\# not a heading\n");
	for (const file of [edited, edited.replaceAll("\n", "\r\n")]) {
		expect(parseNotes(file, headingsOf(each))).toEqual({
			goal: "ship on Thursday\n- no new dependency",
			descriptions: new Map([["fix", "new\n# not a heading"]]),
			others: "",
		});
	}
	const emptied = formatNotes(each).replace("\nold\n", "\n");
	expect([...parseNotes(emptied, headingsOf(each)).descriptions]).toEqual([["look", ""]]);
	const removed = formatNotes(each).replace(/### look[\s\S]*(?=### fix)/, "");
	expect(parseNotes(removed, headingsOf(each)).descriptions.size).toBe(0);
});

test.each([
	["", 1, "the first line is not"],
	["# Session notes\n\n## Goal\n\n## Episodes\n\n### nobody\n", 7, 'no episode has the heading "nobody"'],
	["# Session notes\n\n## Episodes\nstray\n", 4, "text before the first episode"],
])("what cannot be read is refused with its line: %j", (file, number, found) => {
	expect(() => parseNotes(file, ["look"])).toThrow(`the notes cannot be read, line ${number}: ${found}`);
});
