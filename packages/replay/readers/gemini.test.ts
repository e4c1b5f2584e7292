import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readDocument, readLines } = useSessionFolder();

type Fields = Readonly<Record<string, unknown>>;

const header = { sessionId: "s", projectHash: "p", startTime: "2026-01-02T03:04:05.000Z" };

function message(id: string, type: string, content: unknown, fields: Fields = {}): Fields {
	return { id, type, content, timestamp: "2026-01-02T03:04:05.000Z", ...fields };
}

function call(id: string, name: string, args: Fields, status: string, response?: Fields): Fields {
	const result = response && [{ functionResponse: { id, name: "read_file", response } }];
	return { id, name, args, status, result };
}

const reply = message("2", "gemini", "I look.", {
	thoughts: [{ subject: "Where", description: "is it?" }],
	toolCalls: [
		call("t1", "read_file", { path: "a.ts" }, "success", { output: "let a" }),
		call("t2", "replace", { old_string: "x" }, "error", { error: "no x" }),
		call("t3", "glob", {}, "scheduled"),
	],
});

test("in a log the last copy of a message counts, at the place of the first, with the results of its calls", async () => {
	const session = await readLines(
		header,
		message("1", "user", [{ text: "fix it" }]),
		message("2", "gemini", ""),
		{ $set: { lastUpdated: "later" } },
		message("3", "user", "thanks"),
		message("4", "info", "Update available"),
		message("5", "dream", ""),
		{ type: "user", content: "a line without an id is no message" },
		reply,
	);
	expect(outline(session)).toEqual([
		"user: fix it",
		'assistant: (Where\nis it?) | I look. | read_file#t1 {"path":"a.ts"} | replace#t2 {"old_string":"x"} | glob#t3 {}',
		"toolResult: read_file#t1 let a",
		"toolResult: replace#t2 failed no x",
		"user: thanks",
	]);
	expect(damages(session)).toEqual([':7 message of kind "dream": skipped']);
});

test("a log goes back to a message, or begins anew", async () => {
	const dropped = [message("1", "user", "one"), message("2", "user", "two"), { $rewindTo: "2" }];
	expect(outline(await readLines(header, ...dropped, message("4", "user", "three")))).toEqual([
		"user: one",
		"user: three",
	]);
	const anew = { $set: { messages: [message("9", "user", "nine")] } };
	expect(outline(await readLines(header, ...dropped, anew))).toEqual(["user: nine"]);
});

test("a reply that a document holds twice counts once, the later copy, with the provider's count", async () => {
	const tokens = { input: 1_000, output: 10, cached: 300, thoughts: 5 };
	const pending = message("2", "gemini", "", { toolCalls: [call("t1", "read_file", {}, "scheduled")] });
	const messages = [message("1", "user", "go"), pending, { ...reply, tokens, model: "gemini-3-pro" }];
	const session = await readDocument({ ...header, messages });
	expect(outline(session).map((each) => each.split(":")[0])).toEqual([
		"user",
		"assistant",
		"toolResult",
		"toolResult",
	]);
	expect(session.messages[1]).toMatchObject({
		model: "gemini-3-pro",
		usage: { input: 700, cacheRead: 300, output: 15 },
	});
});

test("every message of a document counts, whatever its id is", async () => {
	const messages = ["1", "1", 7, undefined].map((id, index) => ({ id, type: "user", content: `${index}` }));
	const session = await readDocument({ ...header, messages });
	expect(outline(session)).toEqual(["user: 0", "user: 1", "user: 2", "user: 3"]);
	expect(session.damage).toEqual([]);
});
