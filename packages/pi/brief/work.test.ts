import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import type { PlanInput } from "#core/planning";
import * as draft from "../../core/test-support/message-builders.ts";
import { graphOf, sourcesOf } from "../test-support/brief-sources.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { stateOf } from "./goal-and-constraints.ts";
import { carriedBy, readCarried, updateBrief } from "./session-brief.ts";
import { readWork } from "./work.ts";

/** The data of a session without marks: for each turn its tool, "" for none, what the user asks and what the agent answers. */
function dataOf(...turns: readonly (readonly [tool: string, asked: string, answer: string])[]) {
	const drafts = turns.flatMap(([tool], at) => [
		draft.person(),
		...(tool === "" ? [] : [draft.model(draft.call(`r${at}`, tool)), draft.result(`r${at}`)]),
		draft.model(draft.text()),
	]);
	const graph = foldTranscript(draft.build(drafts), defaultToolTable);
	const said = graph.messages.flatMap(({ author, items: [item] }) =>
		author === "user" || item?.type === "text" ? [item] : [],
	);
	const texts = turns.flatMap(([, asked, answer]) => [asked, answer]);
	const textOf: PlanInput["textOf"] = (item) => texts[said.indexOf(item)];
	const { input } = sourcesOf([]);
	return updateBrief(
		sourcesOf([], { goal: undefined, state: stateOf({}), input: { ...input, graph, textOf } }),
	).data;
}

test("of unmarked work the newest turn that names next steps or issues says what is left; limits are those of user and agent", () => {
	const data = dataOf(
		[
			"read",
			"Port it. Don't add a dependency.\nI see why you do not like it.",
			"## Next steps\n- tests\n- docs\n## Open issues\n- slow\n## Constraints\n- Node 20",
		],
		[
			"read",
			"Go on, but never touch a.ts",
			"I wrote the tests.\n## Next steps\n- docs\n- release\n\n**Open issues:** none so far",
		],
		["read", "Thanks.", "All is said."],
	);
	expect(data).toMatchObject({
		...{ nextSteps: ["docs", "release"], openIssues: [] },
		constraints: {
			noted: ["Node 20"],
			asked: ["Don't add a dependency.", "Go on, but never touch a.ts"],
		},
	});
});

test("the brief has what the user wrote, and the last answer about work word for word, in whatever words", () => {
	const report = "Der Parser steht.\n\n## Data\n\nSQLite suits us better: one file, no server.";
	const data = dataOf(["edit", "Port it", report], ["", "Use SQLite", "Ok."]);
	const userMessages = ["Port it", "Use SQLite"];
	expect(data).toMatchObject({ userMessages, lastReport: report, lastAnswer: "Ok." });
	expect(dataOf(["edit", "Port it", report])).toMatchObject({ lastReport: "", lastAnswer: report });
	const looked = ["read", "Where is it?", "It is in src/a.ts."] as const;
	const since = dataOf(["edit", "Port it", report], looked, ["", "Thanks", "Sure."]);
	expect(since.lastReport).toBe(`${report}\n\n${looked[2]}`);
	expect(dataOf(["", "Hello", "Hi."], ["", "And you?", "Well."]).lastAnswer).toBe("Well.");
	const advice = "S3 in eu-central-1 is cheaper, and one key for each customer allows erasure.";
	expect(dataOf(["", "Where to?", advice], ["", "Thanks", "You're welcome!"]).lastReport).toBe(advice);
});

test("steps and issues of an older turn stay until a later one names one of them again, says that none is left, or reports it", () => {
	const plan =
		"## Next steps\n1. port the lexer\n2. write the docs\n## Open issues\n- a batch that fails halfway stays";
	const first = ["edit", "Port it", plan] as const;
	const other = [
		"edit",
		"Bump it",
		"Bumped; all 8 tests pass.\n## Next steps\n- announce the version",
	] as const;
	expect(dataOf(first, other)).toMatchObject({
		nextSteps: ["port the lexer", "write the docs", "announce the version"],
		openIssues: ["a batch that fails halfway stays"],
	});
	const again = ["edit", "Go on", "Next: write the docs"] as const;
	expect(dataOf(first, again).nextSteps).toEqual(["write the docs"]);
	expect(dataOf(first, ["edit", "Go on", "I ported the lexer today."]).nextSteps).toEqual(["write the docs"]);
	for (const all of ["Nothing is left to do.", "All three are in place.", "Done. The CLI has both."])
		expect(dataOf(first, ["edit", "Go on", all]).nextSteps).toEqual([]);
	const risks = "## Risks\n- Path traversal - properly handled\n- Windows paths - not handled";
	expect(dataOf(["edit", "Check it", risks]).openIssues).toEqual(["Windows paths - not handled"]);
	expect(dataOf(["edit", "Plan it", "## Plan\n- parse\n\nDoes this plan look complete?"]).nextSteps).toEqual([
		"parse",
	]);
});

test("of a long paragraph nothing is left out", () => {
	const long = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ");
	const { learnings } = dataOf(["edit", "Port it", long]);
	expect(learnings.length).toBeGreaterThan(4);
	expect(learnings.map(({ text }) => text).join(" ")).toBe(long);
	const run = dataOf(["edit", "Port it", "x".repeat(1_500)]).learnings.map(({ text }) => text.length);
	expect(run).toEqual([600, 600, 300]);
});

test("work that an answer in another language reports is not called completed, and talk is learned from", () => {
	const spanish = "He corregido el redondeo y quedan pendientes las dos con descuento global.";
	const data = dataOf(
		["edit", "Corrige el IVA", spanish],
		["", "Let's go with S3", "The bucket has to lie in eu-central-1 then, and without any lock."],
	);
	expect(data).toMatchObject({
		completed: [],
		inProgress: ["Corrige el IVA"],
		decisions: ["Let's go with S3"],
	});
	expect(data.learnings.map(({ text }) => text)).toContain(
		"The bucket has to lie in eu-central-1 then, and without any lock.",
	);
});

test.each([
	[
		"read",
		"Port it",
		"The plan:\n- port\n\nShall I begin?",
		{ inProgress: ["Port it"], nextSteps: ["port"] },
	],
	["read", "Why is it slow?", "It scans. Shall I add an index?", {}],
	["read", "Where is it?", "It is in a.ts.", {}],
	[
		"read",
		"Port it",
		"It is in a.ts.\n## In progress\n- the lexer",
		{ inProgress: ["Port it", "the lexer"] },
	],
	["edit", "Port it", "It parses. Shall I go on?", { unconfirmed: ["Port it"] }],
	["edit", "Port it", "All steps are done.", { completed: ["Port it"] }],
	[
		"edit",
		"ok, port it, and add a test",
		"The parser is Go code.",
		{ unconfirmed: ["ok, port it, and add a test"] },
	],
	[
		"",
		"Add a test tomorrow. It can wait, right?",
		"Sure.",
		{ unconfirmed: ["Add a test tomorrow. It can wait, right?"] },
	],
	["", "I like it.", "Fine.", {}],
	[
		"edit",
		"Port it",
		"The lexer still needs to be ported.",
		{ inProgress: ["Port it"], nextSteps: ["The lexer still needs to be ported."] },
	],
])("a turn of %s for %j that ends with %j", (tool, asked, answer, lists) => {
	const nothing = { completed: [], inProgress: [], unconfirmed: [], nextSteps: [] };
	expect(dataOf([tool, asked, answer])).toMatchObject({ ...nothing, ...lists });
});

test("work in progress stands until a turn changes something or says how far it is; agreement asks for no work of its own", () => {
	const port = ["edit", "Port the parser", "## In progress\n- the lexer"] as const;
	const ask = ["read", "Which Node is it?", "Node 20."] as const;
	expect(dataOf(port, ask)).toMatchObject({ unconfirmed: ["Port the parser"], inProgress: ["the lexer"] });
	const goOn = ["edit", "ok, go on", "The lexer is Go code."] as const;
	expect(dataOf(port, ask, goOn)).toMatchObject({ unconfirmed: ["Port the parser"], inProgress: [] });
	const plan = ["read", "Port the parser", "My plan:\n- lexer\n- docs"] as const;
	const part = ["edit", "yes", "The lexer works now."] as const;
	expect(dataOf(plan, part)).toMatchObject({ unconfirmed: [], inProgress: ["Port the parser"] });
});

test("of a long plan that an answer takes up again, the steps before that one are over, and those after it are left", () => {
	const plan =
		"Here's a plan.\n\n## Backend\n- parse the header\n- sign the cookie\n- map groups to roles\n## Frontend\n- show the name\n- migrate accounts";
	const begun = "The callback works.\n- [ ] map the groups to our roles";
	expect(dataOf(["read", "Plan the login", plan], ["edit", "Start", begun]).nextSteps).toEqual([
		...["show the name", "migrate accounts", "map the groups to our roles"],
	]);
});

test.each([
	[
		"a step is over once a later turn says nearly all of its words",
		"Next: move the limiter below `/health`",
		"Moved the limiter: it is below `/health`.",
	],
	["a question once work went on", "Open: who owns the table?", "It is renamed."],
	["a failure once tests pass", "Open: 3 tests fail on Windows", "All 42 tests pass."],
])("%s", (_what, left, later) => {
	const first = dataOf(["edit", "Port it", left]);
	const next = dataOf(["edit", "Port it", left], ["edit", "go on", later]);
	expect([...first.nextSteps, ...first.openIssues]).toEqual([left.replace(/^\w+: /, "")]);
	expect([...next.nextSteps, ...next.openIssues]).toEqual([]);
});

test("what an earlier session left stands in the briefs of a fresh one, until that one says something else", () => {
	const work = readWork(graphOf(["It is in a.ts.\nDecided: no network\nNext: docs\nNext: tests"], "port"));
	const data = JSON.parse(JSON.stringify({ left: carriedBy(work, { openIssues: ["why?"] }) }));
	const carried = readCarried([{ type: "custom", customType: "cwl.origin", data }]);
	const { input } = sourcesOf([]);
	const sync = (descriptions: readonly string[], text?: string) => {
		const graph = graphOf(descriptions);
		return updateBrief(sourcesOf([], { carried, text, input: { ...input, graph } }));
	};
	const first = sync([]);
	expect(first.text).toContain("### To do\n\n* docs\n* tests\n\n");
	expect(first.data).toMatchObject({
		...{ completed: ["e0"], inProgress: ["port"], nextSteps: ["docs", "tests"] },
		...{ decisions: ["no network"], openIssues: ["why?"] },
		learnings: [{ episode: "e0", text: "It is in a.ts." }],
	});
	expect(first.summary).toContain("2 to do");
	expect(sync([], first.text).text).toBe(first.text);
	expect(sync(["Done: Docs"], first.text).data.nextSteps).toEqual(["tests"]);
	for (const left of [undefined, 1, { todo: 1, learnings: [1, {}] }])
		expect(readCarried([{ type: "custom", customType: "cwl.origin", data: { left } }])).toEqual({
			...{ lines: [], learnings: [] },
		});
});
