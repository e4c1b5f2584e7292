import { expect, test } from "vitest";
import { addFindings, findingsIn } from "./findings.ts";

const STATED = [
	"Let me look at the parser next to see how it reads dates.",
	"",
	"Found: `parseDate` in src/dates.ts drops the time zone.",
	"Decided: keep local times.",
	"Reading on.",
	"Open: the three callers in src/report.ts.",
].join("\n");

test("of a text before a call the lines stay that state something", () => {
	const [, , found, decided, , open] = STATED.split("\n");
	expect(findingsIn(STATED, false)).toBe([found, decided, open].join("\n"));
	expect(findingsIn("Reading the parser.", false)).toBe("");
	const marked = "Fixed the rename.\nDone: rename it.\n- **Next:** the tests\nBlocker: no key";
	expect(findingsIn(`${marked}\nNext: \nThe next one.`, true)).toBe(marked);
});

test("a line that names its kind of fact leaves those beside it, and stays where they are too long", () => {
	const learned = "The limit is 100, set in src/m2.ts.";
	expect(findingsIn(`${learned}\nNext: the tests.`, true)).toBe(`${learned}\nNext: the tests.`);
	expect(findingsIn(`${learned}\nDecided: keep it.`, false)).toBe(`${learned}\nDecided: keep it.`);
	const long = findingsIn(`Found ${"x".repeat(900)}\nNext: the tests.`, true);
	expect(long).toHaveLength(400);
	expect(long).toMatch(/\nNext: the tests\.$/);
});

test("the items of a list keep the heading that says what they are", () => {
	const answer =
		"The limit is 100.\n\n## Next steps\n\n1. Raise it\n2. Tests\n\n**Open issues:**\n- no key\n\nThat is all.";
	expect(findingsIn(answer, true)).toBe(
		"The limit is 100.\nThat is all.\nNext steps: Raise it\nNext steps: Tests\nOpen issues: no key",
	);
	const titled = "## What I found\n\nThe limit is 100.\n\n### Remaining work\n- add tests";
	expect(findingsIn(titled, true)).toBe("## What I found\nThe limit is 100.\nRemaining work: add tests");
	expect(findingsIn("**Findings:**\nThe limit is 100, because it was.", true)).toBe(
		"The limit is 100, because it was.",
	);
	expect(findingsIn("### Cause: a stale cache\nIt is late.", true)).toBe("### Cause: a stale cache");
	expect(findingsIn("- a\n- b\nNext steps:\nto be seen", true)).toBe("Next steps:");
});

test.each<readonly [string, string?]>([
	["The limit is 100, set in src/m2.ts; three callers use it."],
	["Die Grenze steht in `src/m2.ts`. Sie gilt je Konto."],
	["Good. `isDone` is unused now. Let me remove it from src/a.ts.", "Good. `isDone` is unused now."],
	["Now I'll read src/a.ts. Then parseDate has to change:", ""],
	["Step 3: Changing src/a.ts.\n2. Read on\nLooks good.", ""],
])(
	"where no line says so in our words, a text before a call tells of files, names and figures: %j",
	(text = "", told = text) => {
		expect(findingsIn(text, false)).toBe(told);
	},
);

test("an answer without calls stays even where it uses none of the words", () => {
	expect(findingsIn("The parser reads dates now.\n\nAll tests pass.", true)).toBe(
		"The parser reads dates now.\nAll tests pass.",
	);
	expect(findingsIn("日付は src/dates.ts で決まる。\nNext: テスト\n---", true)).toBe(
		"日付は src/dates.ts で決まる。\nNext: テスト",
	);
	expect(findingsIn(STATED, true)).toBe(findingsIn(STATED, false));
});

test("findings are of bounded length, and the oldest lines leave first", () => {
	expect(findingsIn(`Found ${"x".repeat(9_000)}`, false)).toHaveLength(400);
	const many = Array.from({ length: 50 }, (_, line) => `Decided: rule number ${line}.`);
	const all = many.reduce<string | undefined>(addFindings, undefined) ?? "";
	expect(all.length).toBeLessThanOrEqual(400);
	expect(all.split("\n")).toEqual(many.slice(-all.split("\n").length));
	const told = `The limit ${"of src/a.ts ".repeat(15)}is 100.`;
	expect(addFindings([many[0], told].join("\n"), "Found: nothing more. ".repeat(12))).not.toContain(told);
	expect(addFindings([told, many[0]].join("\n"), "Found: nothing more. ".repeat(12))).toContain(many[0]);
	expect(addFindings(told, told)).toBe(told);
});
