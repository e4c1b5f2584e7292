import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fnv1a } from "#core";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { graphOf, sourcesOf } from "../test-support/brief-sources.ts";
import { briefPath, loadBrief, readBrief, writeBrief } from "./brief-file.ts";
import { carriedBy, startText, updateBrief } from "./session-brief.ts";
import { readWork } from "./work.ts";

const message = (id: string) => ({ type: "message", id });
const session = { id: "s1", cwd: "/w", branch: [message("m1"), message("m2")] };

function fileOf(text: string, name = "s.brief.md"): string {
	const folder = createScratch();
	writeFileSync(join(folder, name), text);
	return join(folder, "s.jsonl");
}

const MARKED = [
	"It is in a.ts.\nTo do: tests\nTo do: docs\nDecided: no network",
	"Done: Docs.\nOpen: why?\nTo do: tests",
];

test("the health at the end of a session stays in its brief until the next end, and is nobody's own section", () => {
	const ended = updateBrief(sourcesOf(MARKED, { health: ["window 12 %", "rising"] }));
	expect(ended.text).toContain("\n## Context health\n\n- window 12 %\n- rising\n");
	expect(updateBrief(sourcesOf(MARKED, { text: ended.text })).text).toBe(ended.text);
	const next = updateBrief(sourcesOf(MARKED, { text: ended.text, health: ["window 20 %"] })).text;
	expect(next).toBe(ended.text.replace("- window 12 %\n- rising\n", "- window 20 %\n"));
});

test("a brief has the state, the marked lines once each without those that were done, the episodes and the files", () => {
	const { text, summary } = updateBrief(sourcesOf(MARKED));
	expect(summary).toBe("2 finished episodes, 1 to do, 1 file");
	for (const [heading, body] of [
		["Goal", "ship it"],
		["Task", "parse"],
		["Constraints", "* no network\n* Node 20 (noted by the agent)"],
		["To do", "* tests"],
		["Decisions", "* no network"],
		["Open issues", "* why?"],
	])
		expect(text).toContain(`### ${heading}\n\n${body}\n\n<!-- cwl `);
	expect(text).toMatch(/### e0\n\n_expl; closed; \d+ tokens_\n\nIt is in a\.ts\.\nTo do: tests\n/);
	expect(text).toContain("## Files\n\n- src/a.ts 3:abc\n");
	const graph = graphOf(MARKED, "look");
	const startOf = (from: typeof graph) => startText({ ...readWork(from), ...carriedBy(readWork(from)) });
	expect(startOf(graph)).toBe(
		"Done:\n- Docs.\nIn progress when it ended, so not finished:\n- look\nLeft to do when last said; later turns may have done or dropped some:\n- tests\nDecided, where later turns did not change it:\n- no network\nOpen issues:\n- why?",
	);
	const plain = graphOf(["nothing marked"]);
	expect(startOf(plain)).toBe("");
});

test("a brief has its state as JSON and its work as lists too, which nobody reads back", () => {
	const goal = { text: "ship it; no new dependency\n- tests pass", isDone: false };
	const { text, data } = updateBrief(sourcesOf(MARKED, { goal }));
	expect(JSON.parse(/```json\n([\s\S]*?)\n```/.exec(text)?.[1] ?? "")).toEqual(data);
	expect(data).toEqual({
		...{ version: 1, session: "s1", last: "m2", savedAt: "2026-11-22T00:00:00.000Z" },
		environment: { cwd: "/w", files: { "src/a.ts": "3:abc" } },
		...{ goal: goal.text, isGoalDone: false, task: "parse" },
		successCriteria: ["ship it", "no new dependency", "tests pass", "no network"],
		constraints: { user: ["no network"], noted: ["Node 20"], asked: [] },
		...{ completed: ["e0", "e1", "Docs."], inProgress: ["look"], unconfirmed: [] },
		...{ nextSteps: ["tests"], decisions: ["no network"], openIssues: ["why?"] },
		learnings: [{ episode: "e0", text: "It is in a.ts." }],
		...{ userMessages: [], lastReport: "", lastAnswer: "" },
	});
	const criteria = "- ship it\n- no new dependency\n- tests pass\n- no network";
	const work = `Success criteria:\n\n${criteria}\n\nCompleted:\n\n- e0\n- e1\n- Docs.\n\nIn progress:\n\n- look`;
	expect(text).toContain(`${work}\n\nLearned:\n\n- It is in a.ts.\n`);
	const changed = text.replace('"task": "parse"', '"task": "cook"').replace("- look\n", "- cook\n");
	expect(updateBrief(sourcesOf(MARKED, { goal, text: changed })).text).toBe(text);
});

test("an episode that this branch does not have leaves the brief, unless a person edited it", () => {
	const { text } = updateBrief(sourcesOf([...MARKED, "On another branch."]));
	const sync = (file: string) => updateBrief(sourcesOf(MARKED, { text: file })).text;
	expect(sync(text)).toBe(updateBrief(sourcesOf(MARKED)).text);
	expect(() => sync(text.replace("On another branch.", "Mine."))).toThrow('nothing has the heading "e2"');
});

test("in place of a goal that nobody set stands what the user asked for first, and a person may write one above it", () => {
	const { input } = sourcesOf(MARKED);
	const sources = { goal: undefined, input: { ...input, textOf: () => "Port\nthe parser" } };
	const { data, text } = updateBrief(sourcesOf(MARKED, sources));
	expect(text).toContain('none set; the session began with "Port the parser"');
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
		.replace("* tests\n", "* tests\n* call Ann\n")
		.replace("It is in a.ts.", "It is in b.ts.\n\\# not a heading")
		.replace("\n<!-- cwl-brief", "\n## Mine\n\nkeep me\n\n### below\n\n<!-- cwl-brief");
	for (const file of [edited, edited.replaceAll("\n", "\r\n")]) {
		const update = updateBrief(sourcesOf(MARKED, { text: file }));
		expect(update.steering).toEqual({
			...{ goal: "ship it on Thursday\n- no new dependency", doneGoal: "" },
			...{ constraints: ["no cloud"], notedConstraints: ["Node 20"] },
		});
		expect([...update.descriptions.values()]).toEqual([
			"It is in b.ts.\n# not a heading\nTo do: tests\nTo do: docs\nDecided: no network",
		]);
		expect(update.text).toContain("## Mine");
		expect(update.text).toContain("\n* call Ann\n* tests\n");
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
	["<!-- cwl-brief 9\n-->\n", "cwl-brief is 9, and this cwl reads up to 1; a newer cwl wrote it: update cwl"],
	["<<<<<<< HEAD\n", "this is the mark of a merge"],
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

test("the session notes of earlier versions are read, with their edits", () => {
	const notes = [
		"# Session notes\n\nSession s1.\n\n## Goal\n\nship it on Friday\n\n<!-- cwl 0 -->\n",
		`## Episodes\n\n### e0\n\n_expl; closed; 2 tokens_\n\n\\# old\n\n<!-- cwl ${fnv1a("# old").toString(16)} -->\n`,
		"## Mine\n\nkeep me\n",
	];
	const file = fileOf(notes.join("\n"), "s.notes.md");
	const update = updateBrief(sourcesOf(["# old"], { text: readBrief(file) }));
	expect(update.steering).toEqual({ goal: "ship it on Friday", doneGoal: "" });
	expect(update.text).toContain("## Mine\n\nkeep me\n");
	expect([...update.descriptions]).toEqual([]);
});

test("a fresh session starts from a brief that fits, with the lines that a person left in it", async () => {
	const { text } = updateBrief(sourcesOf(MARKED));
	const file = join(createScratch(), "s.jsonl");
	expect(loadBrief(file, session)).toBeUndefined();
	await writeBrief(file, text);
	const loaded = { file: briefPath(file), problem: null, savedAt: "2026-11-22T00:00:00.000Z" };
	expect(loadBrief(file, session)).toEqual({ ...loaded, steering: {}, lists: {} });
	const edited = text.replace("* tests\n", "* call Ann\n").replace("\nship it\n", "\nrest\n");
	await writeBrief(file, edited);
	const steering = { goal: "rest", doneGoal: "" };
	expect(loadBrief(file, session)).toEqual({ ...loaded, steering, lists: { todo: ["call Ann"] } });
	expect(readFileSync(briefPath(file), "utf8")).toBe(edited);
});

test.each([
	["damaged", (text: string) => text.replace("## Episodes\n", "## Episodes\nstray\n"), {}, /no heading/],
	["empty", () => "", {}, /session is missing, not "s1"; it belongs elsewhere; write it again/],
	["of another session", undefined, { id: "s2" }, /session is "s1", not "s2"/],
	["of another folder", undefined, { cwd: "/other" }, /cwd is "\/w", not "\/other"; it belongs elsewhere/],
	["orphaned", undefined, { branch: [message("m1")] }, /last is "m2", which is not on this branch/],
	[
		"stale",
		undefined,
		{ branch: ["m2", "m3", "m4"].map(message) },
		/the session has 2 messages after "m2"; write it again with \/cwl brief sync, or remove the file\.$/,
	],
] as const)(
	"a brief that is %s is refused, with file, key, value and remedy",
	(_what, change, more, reason) => {
		const { text } = updateBrief(sourcesOf(["x"]));
		const file = fileOf(change?.(text) ?? text);
		expect(typeof loadBrief(file, session)?.savedAt).toBe(change ? "object" : "string");
		const refused = loadBrief(file, { ...session, ...more });
		expect(refused).toMatchObject({ savedAt: null, problem: expect.stringMatching(reason) });
		expect(refused?.problem).toMatch(/^\/.*s\.brief\.md: /);
	},
);

const checkpoint = {
	...{ format: "cwl-checkpoint", version: 1, session: "s1", cwd: "/w", last: "m2", savedAt: "2026-01-01" },
	...{ goal: "ship it", current: { task: "parse", episodes: ["look"] }, done: [], doneBefore: 0 },
	...{ todo: ["tests"], decisions: [], openIssues: ["why?"], artifacts: {} },
	constraints: { user: ["no network"], noted: ["Node 20"], asked: [] },
};

test("a checkpoint of an earlier version is read where there is no brief, and a damaged one is refused", () => {
	const load = (data: unknown) =>
		loadBrief(fileOf(typeof data === "string" ? data : JSON.stringify(data), "s.checkpoint.json"), session);
	expect(load(checkpoint)).toMatchObject({
		...{ problem: null, savedAt: "2026-01-01" },
		steering: { goal: "ship it", task: "parse", constraints: ["no network"], notedConstraints: ["Node 20"] },
		lists: { todo: ["tests"], decisions: [], openIssues: ["why?"] },
	});
	for (const [data, reason] of [
		["{", /s\.checkpoint\.json: .*JSON/],
		[{ ...checkpoint, todo: "tests" }, /s\.checkpoint\.json: the brief cannot be read, it is no checkpoint/],
		[{ ...checkpoint, version: 7 }, /it is no checkpoint/],
		[{ ...checkpoint, session: "s2" }, /session is "s2", not "s1"/],
	] as const)
		expect(load(data)).toMatchObject({ savedAt: null, problem: expect.stringMatching(reason) });
});
