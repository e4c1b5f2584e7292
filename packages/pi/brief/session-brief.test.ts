import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { graphOf, sourcesOf } from "../test-support/brief-sources.ts";
import { briefPath, loadBrief, writeBrief } from "./brief-file.ts";
import { updateBrief } from "./session-brief.ts";
import { readWork } from "./work.ts";
import { workText } from "./work-text.ts";

const message = (id: string) => ({ type: "message", id });
const session = { id: "s1", cwd: "/w", branch: [message("m1"), message("m2")] };

const MARKED = [
	"It is in a.ts.\nTo do: tests; To do: docs\nDecided: no network",
	"Done: Docs.\nOpen: why?\nTo do: tests",
];

test("a brief has the state, the marked lines once each without those that were done, episodes, files and health", () => {
	const { text, summary } = updateBrief(sourcesOf(MARKED, { health: ["window 12 %", "rising"] }));
	expect(summary).toBe("2 finished episodes, 1 to do, 1 file");
	for (const part of [
		"### Goal\n\nship it\n\n<!-- cwl ",
		"### Task\n\nparse\n\n<!-- cwl ",
		"### Constraints\n\n* no network\n* Node 20 (noted by the agent)\n\n<!-- cwl ",
		" tokens_\n\nIt is in a.ts.\nTo do: tests; To do: docs\n",
		"## Files\n\n- src/a.ts 3:abc\n",
		"\n## Context health\n\n- window 12 %\n- rising\n",
	])
		expect(text).toContain(part);
});

test("brief and fresh session have one text of the work: lists, changed files, git, the last answers of unmarked turns", () => {
	const work = readWork(graphOf(MARKED, "look"), "/w");
	const state =
		"Done:\n- Docs.\nIn progress when it ended, so not finished:\n- look\nLeft to do when last said; later turns may have done or dropped some:\n- tests\nDecided, where later turns did not change it:\n- no network\nOpen issues:\n- why?";
	expect(workText(work)).toBe(state);
	expect(updateBrief(sourcesOf(MARKED)).text).toContain(state);
	const answers = [{ asked: "Port it", answer: "It is\n## ported." }];
	const more = { ...work, changedFiles: ["src/a.ts"], answers };
	expect(workText(more, { branch: "main", commit: "0123456789abcdef" })).toBe(
		`${state}\nFiles that it changed:\n- src/a.ts\nGit at its end:\n- branch main, commit 0123456789ab\nAnswer to "Port it", word for word:\n> It is\n> ## ported.`,
	);
	expect(workText(readWork(graphOf(["nothing labelled"]), "/w"))).toBe("");
});

test("a brief has its state as JSON and its work in words too, which are not read back", () => {
	const goal = { text: "ship it; no new dependency\n- tests pass", isDone: false };
	const git = { branch: "main", commit: "0123abc" };
	const { text, data } = updateBrief(sourcesOf(MARKED, { goal, git }));
	expect(JSON.parse(/```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? "")).toEqual(data);
	expect(data).toEqual({
		version: 1,
		session: "s1",
		last: "m2",
		savedAt: "2026-11-22T00:00:00.000Z",
		environment: { cwd: "/w", git: { branch: "main", commit: "0123abc" }, files: { "src/a.ts": "3:abc" } },
		goal: goal.text,
		isGoalDone: false,
		task: "parse",
		successCriteria: ["ship it; no new dependency", "tests pass", "no network"],
		constraints: { user: ["no network"], noted: ["Node 20"] },
		completed: ["e0", "e1", "Docs."],
		inProgress: ["look"],
		nextSteps: ["tests"],
		decisions: ["no network"],
		openIssues: ["why?"],
		learnings: [{ episode: "e0", text: "It is in a.ts." }],
		changedFiles: [],
		userMessages: [],
		answers: [],
	});
	expect(text).toContain("- why?\nGit at its end:\n- branch main, commit 0123abc\n");
	const changed = text.replace('"task": "parse"', '"task": "cook"').replace("- look\n", "- cook\n");
	expect(updateBrief(sourcesOf(MARKED, { goal, git, text: changed })).text).toBe(text);
	expect(updateBrief(sourcesOf(MARKED, { goal, text })).text).toBe(text);
});

test("an episode that this branch does not have leaves the brief, unless a person edited it", () => {
	const { text } = updateBrief(sourcesOf([...MARKED, "On another branch."]));
	const sync = (file: string) => updateBrief(sourcesOf(MARKED, { text: file })).text;
	expect(sync(text)).toBe(updateBrief(sourcesOf(MARKED)).text);
	expect(() => sync(text.replace("On another branch.", "Mine."))).toThrow('nothing has the heading "e2"');
});

test("without a goal, the state as JSON has what the user asked for first, and a goal that a person writes is one", () => {
	const { input } = sourcesOf(MARKED);
	const sources = { goal: undefined, input: { ...input, textOf: () => "Port\nthe parser" } };
	const { data, text } = updateBrief(sourcesOf(MARKED, sources));
	expect(data).toMatchObject({
		goal: "Port\nthe parser",
		successCriteria: ["Port", "the parser", "no network"],
	});
	const readBack = (file: string) => updateBrief(sourcesOf(MARKED, { ...sources, text: file })).steering;
	expect(readBack(text)).toEqual({});
	expect(readBack(text.replace("### Goal\n", "### Goal\n\nship it\n"))).toMatchObject({ goal: "ship it" });
});

test("edits hold, line ends of any kind, the person's own sections and lines stay, and a second time changes nothing", () => {
	const { text } = updateBrief(sourcesOf(MARKED));
	const edited = text
		.replace("\nship it\n", "\nship it on Thursday\n- no new dependency\n")
		.replace("* no network\n* Node", "* no cloud\n* Node")
		.replace("It is in a.ts.", "It is in b.ts.\n\\# not a heading")
		.replace("\n<!-- cwl-brief", "\n## Mine\n\nkeep me\n\n### below\n\n<!-- cwl-brief");
	for (const file of [edited, edited.replaceAll("\n", "\r\n")]) {
		const update = updateBrief(sourcesOf(MARKED, { text: file }));
		expect(update.steering).toEqual({
			goal: "ship it on Thursday\n- no new dependency",
			doneGoal: "",
			constraints: ["no cloud"],
			notedConstraints: ["Node 20"],
		});
		expect([...update.descriptions.values()]).toEqual([
			"It is in b.ts.\n# not a heading\nTo do: tests; To do: docs\nDecided: no network",
		]);
		expect(update.text).toContain("## Mine");
	}
	const { steering, descriptions } = updateBrief(sourcesOf(MARKED, { text }));
	expect([steering, descriptions.size]).toEqual([{}, 0]);
	const emptied = updateBrief(
		sourcesOf(["old"], { text: updateBrief(sourcesOf(["old"])).text.replace("\nold\n", "\n") }),
	);
	expect([...emptied.descriptions.values()]).toEqual([""]);
});

test("property: a brief that nobody touched holds no edit and loads, whatever the descriptions are", () => {
	const marks = ["To do: ", "Done: ", "Decided: ", "# x", "- y"];
	const word = fc.constantFrom(...marks, "\n", "x".repeat(3_000), "\u202e", '"}', "a");
	const description = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `.${words.join("")}`);
	fc.assert(
		fc.property(fc.array(description, { maxLength: 20 }), (descriptions) => {
			const { text } = updateBrief(sourcesOf(descriptions));
			const again = updateBrief(sourcesOf(descriptions, { text }));
			expect([again.text, again.steering, again.descriptions.size]).toEqual([text, {}, 0]);
		}),
	);
});

test.each([
	["### nobody\n", 'line 1: nothing has the heading "nobody"'],
	["# Session brief\n\n## Episodes\nstray\n", "line 4: this text belongs to no heading"],
	["# Session brief\n\n## Episodes\n\n### nobody\n", 'line 5: nothing has the heading "nobody"'],
])("a brief that cannot be read is refused with its line: %j", (text, found) => {
	expect(() => updateBrief(sourcesOf(["x"], { text }))).toThrow(found);
});

test.each([
	["\nold\n", 2_001, "the description of e0 has 2001 characters: use at most 2000"],
	["\nparse\n", 301, "the task has 301 characters"],
	["\nship it\n", 5_000, "use a text of at most 4000 characters"],
])("a text in place of %j that has %i characters is refused", (old, length, found) => {
	const text = updateBrief(sourcesOf(["old"])).text.replace(old, `\n${"x".repeat(length)}\n`);
	expect(() => updateBrief(sourcesOf(["old"], { text }))).toThrow(found);
});

test("a fresh session starts from a brief that fits, with the edits that a person left in it", async () => {
	const git = { branch: "main", commit: "0123abc" };
	const sources = sourcesOf(MARKED, { git });
	const { episodes } = sources.input.graph;
	const { text } = updateBrief(sources);
	const file = join(createScratch(), "s.jsonl");
	expect(loadBrief(file, session)).toBeUndefined();
	await writeBrief(file, text);
	const loaded = { file: briefPath(file), problem: null, savedAt: "2026-11-22T00:00:00.000Z", git };
	const untouched = { steering: {}, descriptions: new Map() };
	expect(loadBrief(file, { ...session, episodes })).toMatchObject({ ...loaded, edits: untouched });
	const edited = text.replace("It is in a.ts.", "It is in b.ts.").replace("\nship it\n", "\nrest\n");
	await writeBrief(file, edited);
	const descriptions = new Map([[episodes[0]?.id, (MARKED[0] ?? "").replace("a.ts", "b.ts")]]);
	const edits = { steering: { goal: "rest", doneGoal: "" }, descriptions };
	expect(loadBrief(file, { ...session, episodes })).toMatchObject({ ...loaded, edits });
	expect(readFileSync(briefPath(file), "utf8")).toBe(edited);
});

const stray = (text: string) => text.replace("## Episodes\n", "## Episodes\nstray\n");
test.each([
	["damaged", stray, {}, /no heading/],
	["empty", () => "", {}, /: its session is missing, not "s1", so it belongs elsewhere; write it again/],
	["of another session", undefined, { id: "s2" }, /: its session is "s1", not "s2", so it/],
	["of another folder", undefined, { cwd: "/other" }, /: its cwd is "\/w", not "\/other", so it/],
	["orphaned", undefined, { branch: [message("m1")] }, /: its last message, "m2", is not on this branch of/],
	[
		"stale",
		undefined,
		{ branch: ["m2", "m3", "m4"].map(message) },
		/: it is 2 messages older than the session; write it again with \/cwl brief sync, or remove the file\.$/,
	],
] as const)(
	"a brief that is %s is refused, with file, key, value and remedy",
	async (_what, change, more, reason) => {
		const sources = sourcesOf(["x"]);
		const { text } = updateBrief(sources);
		const file = join(createScratch(), "s.jsonl");
		await writeBrief(file, change?.(text) ?? text);
		const refused = loadBrief(file, { ...session, episodes: sources.input.graph.episodes, ...more });
		expect(refused).toMatchObject({
			savedAt: null,
			edits: undefined,
			problem: expect.stringMatching(reason),
		});
		expect(refused?.problem).toMatch(/^\/.*s\.brief\.md: /);
	},
);
