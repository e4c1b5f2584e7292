import { expect, test } from "vitest";
import { foldTranscript } from "#core/graph";
import * as draft from "../../core/test-support/message-builders.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { createEpisodeTexts, statementsIn } from "./statements.ts";

test.each<readonly [string, string, readonly string[]]>([
	[
		"items below a heading are of its kind, a paragraph after them is not",
		"The limit is 100.\n\n## 3. Next steps (in order):\n\n1. Raise it\n   to 200\n\n2. `Tests`\n\nThat is all.",
		["The limit is 100.", "Next: Raise it to 200", "Next: `Tests`", "That is all."],
	],
	[
		"a paragraph below a heading is of its kind",
		"### Key decisions\nKeep local times.\n**Known issues:**\n- slow\n__Follow-ups__\n• docs\n## Constraints\n- no network",
		["Decided: Keep local times.", "Open: slow", "Next: docs", "Constraint: no network"],
	],
	[
		"another heading says nothing of its own, and nothing of its lines",
		"## What I found\n\nparseDate drops the zone.\n\n### Remaining work\n- callers",
		["parseDate drops the zone.", "Next: callers"],
	],
	["words of any script count", "限度は100。\n## Next steps\n- テスト", ["限度は100。", "Next: テスト"]],
	[
		"a deeper heading and a lead-in leave the kind, one beside it does not",
		"### Remaining work\n#### High priority\n- bench\n\nIn this order:\n1. docs\n## Notes\n- all is fine",
		["Next: bench", "Next: docs", "all is fine"],
	],
	[
		"short headings, labels of several words and rows count",
		"**Next:**\n- a\n## Open\n- b?\n\nOpen question: c?\nDecisions made:\n| what | why |\n|---|---|\n| ESM | smaller |",
		["Next: a", "Open: b?", "Open: c?", "Decided: ESM: smaller"],
	],
	[
		"only the first paragraph below a heading is of its kind, and a list behind it",
		"## Decision\nKeep it.\n\nLet me know.\n## Next steps\nI suggest this:\n- a\n1. **Update the remaining callers**",
		["Decided: Keep it.", "Let me know.", "Next: a", "Next: **Update the remaining callers**"],
	],
	[
		"work that is done, and facts that only begin like none",
		"## What was done\n- TSV\n## Outstanding issues\n- None of the tests cover negative offsets\n- Nothing closes the socket\n\nThere are no open issues.",
		["Done: TSV", "Open: None of the tests cover negative offsets", "Open: Nothing closes the socket"],
	],
	[
		"a heading of four words, and the beginning of a list, say something",
		"### P2 — Open output is accepted\n- **File:** a.ts\n## Summary\nI went for draining. One shard is still flaky:\n- e2e",
		[
			"P2 — Open output is accepted",
			"**File:** a.ts",
			"I went for draining.",
			"Open: One shard is still flaky:",
			"e2e",
		],
	],
	[
		"a short block of code ends the line before it; a sign may stand before a heading",
		"It stalls. To reproduce:\n```sh\nDELAY=2 npm run sync\nnpm run check\n```\n✅ **Done**\n- port it\n⚠️ **Known issues**\n- it leaks\nNext I will:\n- mend it\nLeft: the docs",
		[
			"It stalls. To reproduce: `DELAY=2 npm run sync; npm run check`",
			...["Done: port it", "Open: it leaks", "Next: mend it", "Next: the docs"],
		],
	],
	["criteria are of their kind", "## Acceptance criteria\n- types stay", ["Criterion: types stay"]],
	[
		"boxes, signs and the status of a row tell how far work is",
		"- [x] port it\n- [ ] test it\n✅ docs\n- 🚧 cache\n\n| part | state |\n|---|---|\n| CLI | in progress |\n| API | done |",
		["Done: port it", "Next: test it", "Done: docs", "Doing: cache", "Doing: CLI", "Done: API"],
	],
	[
		"the last sentence of a paragraph may lead in a list; a table of facts has no kind",
		"| finding | note |\n|---|---|\n| open files leak | done by hand |\n\nIt parses. The remaining ones are:\n1. lexer\n2. docs",
		["open files leak: done by hand", "It parses.", "Next: lexer", "Next: docs"],
	],
	[
		"a sentence that names its kind, or shows it, parts from those before it; its reasons stay with it",
		"It holds 3 rows. They are sorted. Next: the index. It is slow today. I can't tell why it locks. That is all.",
		[
			"It holds 3 rows. They are sorted.",
			"Next: the index. It is slow today.",
			"Open: I can't tell why it locks.",
			"That is all.",
		],
	],
	[
		"code names no kind, and lists of nothing say nothing",
		"a.ts holds it.\n```\nDone: 1\n```\n## Open questions\n- None.\n\nBlockers: nothing so far.\n- No open issues from my side.",
		["a.ts holds it. `Done: 1`", "Open: none", "Open: none"],
	],
	[
		"headings that models write",
		"## Changes\n- x\n## What I've done\n- y\n## Definition of done\n- z\n## Up next\n- u\n## Blocked on\n- v\n**Questions for you**\n- w?",
		["Done: x", "Done: y", "Criterion: z", "Next: u", "Open: v", "Open: w?"],
	],
	[
		"what was not done is left, however its heading says so, and so is a plan that was changed",
		"**Fixed**\n- a\n\n**Not fixed**\n- b\n## What I did not do\n- c\n\nNot addressed: d\n\nFair. I've updated the plan:\n1. e",
		["Done: a", "Next: b", "Next: c", "Next: d", "Fair.", "Next: e"],
	],
	[
		"a plan is what comes next, and work in progress is of its own kind",
		"## Proposed plan\n1. parse\n## In progress\n- the lexer",
		["Next: parse", "Doing: the lexer"],
	],
	[
		"a sentence says what is left without a heading",
		"It parses. The next step is to port the lexer. Errors are not handled yet, and the file does not exist yet.",
		[
			"It parses.",
			"Next: The next step is to port the lexer.",
			"Next: Errors are not handled yet, and the file does not exist yet.",
		],
	],
	[
		"a fact about today is nothing left to do",
		"The file does not exist yet.",
		["The file does not exist yet."],
	],
	[
		"a decision is its sentence",
		"I decided to keep it. The next call is unclear.",
		["I decided to keep it.", "Open: The next call is unclear."],
	],
])("%s", (_name, text, lines) => {
	expect(statementsIn(text)).toEqual(lines);
});

test("unmarked work says all that its answer says, under what the user asked; a person's description stands for it", () => {
	const answer = "## Next steps\n- tests\n\n## Open issues\n- no key";
	const { call, model, person, result, text } = draft;
	const built = [
		person(),
		model(call("r", "read", { path: "a.ts" })),
		result("r", 10),
		model(text(10, "- tests")),
	];
	const graph = foldTranscript(draft.build(built), defaultToolTable);
	const texts = createEpisodeTexts(graph, (item) => (item.type === "user" ? "raise it" : answer));
	const [episode] = graph.episodes;
	if (!episode) throw new Error("the turn is an episode");
	expect(texts.statementsOf(episode)).toBe("Next: tests\nOpen: no key");
	expect(texts.title(episode)).toEqual({ title: "raise it", isOwn: true });
	expect(createEpisodeTexts(graph).statementsOf(episode)).toBe("- tests");
	expect(texts.statementsOf({ ...episode, description: "nothing is left" })).toBe("nothing is left");
});

test("before a call decisions and facts stay, not what the agent does at once; a plan, and what is in progress, stays until its turn is answered", () => {
	const said =
		"## Key decisions\n- Use `a.ts`\n\nThe lock is held. Let me see why.\nNext: read it\nRunning the tests.\nRunning it; it needs Redis.";
	const { call, model, person, result, text } = draft;
	const statementsOf = (...answer: readonly draft.MessageDraft[]) => {
		const begun = [person(), model(text(10, said), call("r", "read", { path: "a.ts" })), result("r", 10)];
		const graph = foldTranscript(draft.build([...begun, ...answer]), defaultToolTable);
		const texts = createEpisodeTexts(graph, ({ message }) => (message === 1 ? said : "Ok."));
		return graph.episodes.map(texts.statementsOf).join("\n").split("\n");
	};
	const facts = ["The lock is held.", "Running it; it needs Redis."];
	expect(statementsOf()).toEqual([
		...["Decided: Use `a.ts`", facts[0], "Doing: Let me see why."],
		...["Next: read it", "Doing: Running the tests.", facts[1]],
	]);
	expect(statementsOf(model(text()))).toEqual(["Decided: Use `a.ts`", ...facts, "Ok."]);
});

test("an answer of blank lines and open tables takes no time to read", () => {
	const text = `${"\n".repeat(200_000)}${"| a\n".repeat(20_000)}${"**a ".repeat(20_000)}`;
	expect(statementsIn(text)).toHaveLength(20_001);
});
