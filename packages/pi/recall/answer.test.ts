import { expect, test } from "vitest";
import type { HostMessage } from "../codec/host-message.ts";
import { RECALL_MESSAGE } from "../codec/host-message.ts";
import * as say from "../test-support/host-messages.ts";
import { open, under } from "../test-support/host-runs.ts";
import { evictAll, readRecalled, recallSession } from "../test-support/recalls.ts";
import { answerRecall, MAX_QUERY_LENGTH } from "./answer.ts";
import type { RecallSession } from "./recall-sources.ts";

const exploring = [
	say.user("what limits are there?"),
	say.reply([
		say.thinks("let me see"),
		say.calls("s", "delimiter", { action: "start", name: "limits", type: "expl" }),
		say.calls("r", "read", { path: "src/limits.ts" }),
	]),
	say.result("s", "started"),
	say.result("r", [say.words("MOST = 7\n"), say.image]),
	say.reply(say.calls("e", "delimiter", { action: "end", description: "MOST is 7" })),
	say.result("e", "ended"),
	say.reply("Seven."),
	say.user("and now?"),
];

/** The session once everything that may go has gone, and then `later` came. */
function evicted(...later: readonly HostMessage[]): RecallSession {
	const messages = say.inOrder(...exploring, say.reply("Now is later."), ...later);
	const session = open();
	session.request(messages.slice(0, exploring.length + 1), under(0));
	return recallSession(session, messages);
}

test("a sentence that no part holds whole gives the parts with its rarest words; few words are taken for a name", () => {
	const session = evictAll(
		...[say.user("go"), ...exchange("a", "bash", { command: "ls" }, say.words("the tests of the parser"))],
		...exchange("b", "bash", { command: "id" }, say.words("the lexer skips NUL bytes")),
		...exchange("c", "bash", { command: "pwd" }, say.words("the end of the file")),
		...[say.user("more"), say.reply("ok")],
	);
	const { text } = ask(session, "which of the steps skips the NUL rows?");
	expect(text).toMatch(/: none with all of these words, the closest in 1 part, newest first\./);
	expect(readRecalled(text)).toContainEqual(expect.objectContaining({ text: "the lexer skips NUL bytes" }));
	expect(text).not.toContain("the end of the file");
	expect(ask(session, "skips NUL rows").text).toContain("unknown. ");
	expect(ask(session, "neither word stands anywhere").text).toContain("unknown. ");
});

/** A call and what it produced. */
const exchange = (id: string, tool: string, args: Record<string, unknown>, ...output: say.ContentBlock[]) => [
	say.reply(say.calls(id, tool, args)),
	say.result(id, output),
];

function ask(session: RecallSession, query: string, options = {}) {
	const request = { query, page: 1, takesImages: true, ...options };
	return answerRecall(session, request, (text) => Math.ceil(text.length / 4));
}

test("an episode comes with where it stood and all of its parts but reasoning", () => {
	const { text, pages } = ask(evicted(), "limits");
	expect(text.split("\n")).toEqual([
		'recall "limits": closed expl, 1 user turn ago, 3 parts.',
		'--- "limits#2" delimiter {"action":"start","name":"limits","type":"expl"} result, lines 1-1 of 1',
		"started",
		'--- "limits#3" read {"path":"src/limits.ts"} result, lines 1-2 of 2',
		"MOST = 7",
		"",
		'--- "limits#3" "image/png" attached',
		'--- "limits#4" delimiter {"action":"end","description":"MOST is 7"} result, lines 1-1 of 1',
		"ended",
		"---",
	]);
	expect(pages).toBe(1);
	expect(readRecalled(ask(evicted(), "limits#1").text)).toMatchObject([{ text: "let me see" }]);
});

test("a file brings the calls that worked on it, then the lines that name it elsewhere", () => {
	const { text } = ask(
		evicted(
			say.user("who uses it?"),
			...exchange("g", "grep", {}, say.words(`${"none\n".repeat(9)}a.ts: from "src/limits.ts"`)),
			say.reply("One does."),
		),
		"src/limits.ts",
	);
	expect(text.split("\n")[0]).toBe(
		'recall "src/limits.ts": 1 call on this file, newest first; then what else names it, in 1 part, newest first.',
	);
});

test("an image goes to models that take images, and is named to others", () => {
	expect(ask(evicted(), "limits#3").images).toEqual([say.image]);
	const { text, images } = ask(evicted(), "limits#3", { takesImages: false });
	expect(images).toEqual([]);
	expect(text).toContain('"image/png" not shown, as this model takes no images, no text');
});

test("what is still visible is named and not repeated", () => {
	const session = open();
	const messages = say.inOrder(...exploring);
	session.request(messages, under(1_000_000));
	const answer = ask(recallSession(session, messages), "limits");
	expect(answer).toMatchObject({ images: [], pages: 0 });
	expect(answer.text).toBe(
		'recall "limits": still in context above, so not repeated: "limits#2", "limits#3", "limits#4".',
	);
});

test("what is unknown is said to be, with the nearest names", () => {
	const near = ask(evicted(), "limitz");
	expect(near.text).toMatch(
		/^recall "limitz": unknown\. .* Closest names: "limits"(, "unmarked-\d+")*\. Ask for/,
	);
	expect(ask(evicted(), `${"q".repeat(500)}\n---`).text.length).toBeLessThan(600);
	expect(ask(evicted(), "").text).toContain("unknown");
	expect(ask(evicted(), "limits", { page: 2 }).text).toBe('recall "limits" has 1 page; there is no page 2.');
	expect(ask(evicted(), "limits", { page: 0 }).text).toContain("no page 0");
});

test.each([
	["a short command", { command: "make lint-mod05" }, "lint-mod05"],
	["a command with a text of its own", { command: `make lint-mod05 ${"quietly ".repeat(9)}` }, "lint-mod05"],
	["one of many arguments", { paths: Array.from({ length: 40 }, (_, n) => `src/mod0${n}`) }, "src/mod05"],
	["all of its words", { command: `lint --quiet ${"- ".repeat(40)}mod05` }, "mod05 lint"],
])("words that a call was made with bring the output that it produced: %s", (_, args, query) => {
	const session = evictAll(
		say.user("go"),
		...exchange("b", "bash", args, say.words("two faults\nand no more"), say.image),
		...[say.user("on"), say.reply("Well.")],
	);
	const { text, images } = ask(session, query);
	expect(text).toContain("\ntwo faults\nand no more\n");
	expect(images).toEqual([say.image]);
	expect(ask(session, "two faults")).toMatchObject({ images: [] });
});

test("words of a user's own long command bring its output", () => {
	const messages = say.inOrder(
		say.user("go"),
		say.bash(`make mod05 ${"quietly ".repeat(9)}`, "two faults"),
		say.user("on"),
	);
	const old = say.inOrder(say.user("later"));
	const session = recallSession(open(), old, [...messages, ...old]);
	expect(ask(session, "mod05").text).toContain("two faults");
});

test("what stands as a word of its own comes before what is part of longer ones", () => {
	const seen = ["the limit is 7", "the limits are off"].flatMap((output, at) =>
		exchange(`c${at}`, "bash", { command: "run" }, say.words(output)),
	);
	const session = evictAll(say.user("go"), ...seen, say.user("on"), say.reply("Well."));
	const texts = readRecalled(ask(session, "limit").text).map(({ text }) => text);
	expect(texts).toEqual(["the limit is 7", "the limits are off"]);
});

test("a search leaves out what asked for it and what earlier recalls brought", () => {
	const session = evicted(
		...exchange("q", "recall", { query: "MOST" }, say.words("MOST = 7")),
		say.custom(RECALL_MESSAGE, "MOST = 7"),
		say.user("Tell me of MOST!"),
		say.reply("I look for MOST."),
	);
	expect(ask(session, "MOST").text).toMatch(/^recall "MOST": in 2 parts, newest first\.\n/);
});

test("after a compaction, what the context names means what stands there, and the rest is still found", () => {
	const old = say.inOrder(...exploring);
	const again = say.inOrder(...exploring.slice(0, -1), say.user("fine")).map((message) => ({
		...message,
		timestamp: message.timestamp + 100,
		...(message.role === "toolResult" &&
			message.toolCallId === "r" && { content: [say.words("MOST = 9\n")] }),
	}));
	const context = [say.compactionSummary("limits were seven", 50), ...again];
	const session = recallSession(open(), context, [...old, ...again]);
	expect(ask(session, "limits").text).toContain('still in context above, so not repeated: "limits#2"');
	const { text } = ask(session, "src/limits.ts");
	const [found] = readRecalled(text);
	expect(text).toContain('Still in context above, so not repeated: "');
	expect(found?.text).toBe("MOST = 7\n");
	expect(readRecalled(ask(session, found?.handle ?? "").text)[0]?.text).toBe("MOST = 7\n");
	expect(ask(session, "what limits").text).toContain("what limits are there?");
});

test.each([
	["words", "word "],
	["one word", "x"],
	["brackets", "("],
])("a query of any length is answered: %s", (_name, unit) => {
	const queryOf = (length: number) => unit.repeat(length / unit.length);
	for (const length of [16_000, 200_000]) {
		const { text, pages } = ask(evicted(), queryOf(length));
		expect(text).toMatch(
			/^recall ".+"\.\.\.: the query has \d+ characters, and at most 1000 are allowed\. Ask for /s,
		);
		expect([text.length < 400, pages]).toEqual([true, 0]);
	}
	expect(ask(evicted(), queryOf(MAX_QUERY_LENGTH)).text).toMatch(/: unknown\. /);
});

test("words that are in very many parts bring the newest 40, and how many older ones were left out", () => {
	const calls = Array.from({ length: 45 }, (_, at) =>
		exchange(`c${at}`, "bash", { command: `make ${at}` }, say.words("two faults")),
	);
	const session = evictAll(say.user("go"), ...calls.flat(), say.user("on"), say.reply("Well."));
	const { text } = ask(session, "two faults");
	expect(text).toContain("in 45 parts, newest first; 5 older ones left out");
	expect(text.match(/two faults/g)?.length).toBeGreaterThanOrEqual(40);
});
