import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import * as draft from "../../core/test-support/message-builders.ts";
import { graphOf } from "../test-support/brief-sources.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { readCarried } from "./session-brief.ts";
import { readWork } from "./work.ts";

type Turn = readonly [tool: string, asked: string, answer: string];

/** The work of a session without marks: for each turn its tool, "" for none, what the user asks and what the agent answers. */
function workOf(...turns: readonly Turn[]) {
	const drafts = turns.flatMap(([tool], at) => [
		draft.person(),
		...(tool === ""
			? []
			: [draft.model(draft.call(`r${at}`, tool, { path: `src/${at}.ts` })), draft.result(`r${at}`)]),
		draft.model(draft.text()),
	]);
	const graph = foldTranscript(draft.build(drafts), defaultToolTable);
	const said = graph.messages.flatMap(({ author, items: [item] }) =>
		author === "user" || item?.type === "text" ? [item] : [],
	);
	const texts = turns.flatMap(([, asked, answer]) => [asked, answer]);
	return readWork(graph, "/w", (item) => texts[said.indexOf(item)]);
}

test("a turn without marks leaves its last answer word for word, in any language, and only its labels are read", () => {
	const report =
		"Der Parser steht.\n\n## Next steps\n- docs\n\nI decided on SQLite. Decided: one file; To do: tests";
	const work = workOf(["edit", "Port it", report], ["read", "Use SQLite", "Done: all of it is in place."]);
	expect(work).toMatchObject({
		userMessages: ["Port it", "Use SQLite"],
		answers: [
			{ asked: "Port it", answer: report },
			{ asked: "Use SQLite", answer: "Done: all of it is in place." },
		],
		lists: { todo: ["tests"], decisions: ["one file"], openIssues: [] },
		completed: ["all of it is in place."],
		inProgress: [],
		changedFiles: ["src/0.ts"],
	});
});

test("answers are bounded: the newest has most room, and the oldest leave first", () => {
	const long: Turn = ["", "Tell me", "word ".repeat(2_000)];
	const { answers } = workOf(["", "First", "Hi."], ...Array.from({ length: 20 }, () => long));
	expect(answers.map(({ answer }) => answer.length)).toEqual([1_500, 1_500, 1_500, 1_500, 6_000]);
});

test("what no answer ended is in progress, with open marks; marked turns leave descriptions instead of answers", () => {
	const drafts = [
		draft.person(),
		draft.model(draft.startExpl("s", "find-a"), draft.end("e", "It is in a.ts. Open: why?")),
		draft.result("s"),
		draft.result("e"),
		draft.model(draft.text()),
		draft.person(),
		draft.model(draft.startExpl("t", "find-b")),
		draft.result("t"),
	];
	const graph = foldTranscript(draft.build(drafts), defaultToolTable);
	const textOf = ({ message }: { readonly message: number }) => `text ${message}`;
	const work = readWork(graph, "/w", textOf);
	expect(work).toMatchObject({
		completed: ["find-a"],
		inProgress: ["find-b", "text 5"],
		learnings: [{ episode: "find-a", text: "It is in a.ts." }],
		lists: { openIssues: ["why?"] },
		answers: [],
	});
	expect(readWork({ ...graph, messages: graph.messages.slice(0, 5) }, "/w", textOf).answers).toEqual([
		{ asked: "text 0", answer: "text 4" },
	]);
});

test.each([
	[["To do: tests", "Done: Tests."], []],
	[["Done: tests", "To do: tests"], ["tests"]],
	[
		["To do: tests", "To do: docs", "To do: **tests**"],
		["docs", "**tests**"],
	],
	[["To do: none."], []],
])("of %j is left to do: %j", (descriptions, left) => {
	expect(readWork(graphOf(descriptions), "/w").lists.todo).toEqual(left);
});

test("a fresh session counts the lines that the earlier one left, before its own", () => {
	const left = { todo: ["tests", "docs", 7], decisions: ["keep it"], openIssues: "no list", done: ["lexer"] };
	const carried = readCarried([{ type: "custom", customType: "cwl.origin", data: { left } }]);
	const work = readWork(graphOf(["Done: docs"]), "/w", undefined, carried);
	expect(work).toMatchObject({
		lists: { todo: ["tests"], decisions: ["keep it"], openIssues: [] },
		done: ["lexer", "docs"],
	});
	expect(readCarried([{ type: "custom", customType: "cwl.origin", data: { left: 7 } }])).toEqual([]);
});
