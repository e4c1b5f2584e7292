import { expect, test } from "vitest";
import { emptyMemory, formatMemory, writeFinding } from "./memory.ts";
import { parseMemory } from "./parse-memory.ts";

const at = "2026-11-22T00:01:00.000Z";
const finding = writeFinding({ name: "find-a", text: "A is 1.", at, files: new Map([["a.ts", "1:ab"]]) });
const memory = formatMemory({ ...emptyMemory(), segments: [...emptyMemory().segments, finding] });

const problemsOf = (text: string) => {
	const parsed = parseMemory(text);
	return parsed.type === "read" ? parsed.problems : [parsed.reason];
};

test.each([
	[
		"a row of a file",
		memory.replace("1:ab", "1:zz"),
		/^line \d+: "- a\.ts 1:zz": a file of this repository is followed by/,
	],
	[
		"a file outside",
		memory.replace("- a.ts", "- ../../etc/passwd"),
		/^line \d+: "- \.\.\/\.\.\/etc\/passwd 1:ab": /,
	],
	[
		"a time",
		memory.replace(/cwl 2026\S+/, "cwl soon"),
		/^line \d+: "<!-- cwl soon \w+ -->": this is no time/,
	],
	["a mark without an entry", `<!-- cwl ${at} 1 -->\n${memory}`, /^line 1: .*: this mark follows no entry/],
	[
		"a session",
		memory.replace("\n-->\n", "\nabc yesterday\n-->\n"),
		/^line \d+: "abc yesterday": a session is followed by a time/,
	],
	["a merge", `<<<<<<< HEAD\n${memory}`, /^line 1: "<<<<<<< HEAD": this is the mark of a merge: resolve it/],
	[
		"a newer version",
		memory.replace("cwl-memory 1", "cwl-memory 2"),
		/^cwl-memory is 2, and this cwl reads up to 1; .*update cwl/,
	],
	["bytes", `${memory}\0`, /no text/],
])("%s that is wrong is named with line, value and remedy", (_what, text, said) => {
	expect(problemsOf(text)).toEqual([expect.stringMatching(said)]);
});

test("what is valid next to it still holds, and no path leads out of the repository", () => {
	const parsed = parseMemory(`<<<<<<< HEAD\n- ours\n${memory.replace("- a.ts", "- ../b.ts 1:ab\n- a.ts")}`);
	expect(parsed).toMatchObject({ type: "read", isInConflict: true });
	const entries = parsed.type === "read" ? parsed.memory.segments.filter(({ type }) => type !== "other") : [];
	expect(entries).toMatchObject([
		{ type: "note", text: "ours", at: "" },
		{ type: "finding", name: "find-a", text: "A is 1.", at: "", files: new Map([["a.ts", "1:ab"]]) },
	]);
});

test("a file that a person wrote from nothing is read", () => {
	const parsed = parseMemory("# Ours\n\n* use tabs\n\n### errors\nThrow CwlError.\n## Rest\nprose");
	const entries = parsed.type === "read" ? parsed.memory.segments.filter(({ type }) => type !== "other") : [];
	expect(entries).toMatchObject([
		{ type: "note", text: "use tabs" },
		{ type: "finding", name: "errors", text: "Throw CwlError." },
	]);
});
