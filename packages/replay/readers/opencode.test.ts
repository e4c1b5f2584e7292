import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readDocument } = useSessionFolder();

type Fields = Readonly<Record<string, unknown>>;

const info = { id: "ses_1", projectID: "p", directory: "/w", version: "1.18.11" };
const time = { created: 1_785_747_400_636 };

const asked = (...parts: readonly Fields[]) => ({ info: { role: "user", id: "msg_u", time }, parts });
const said = (id: string, parts: readonly Fields[], fields: Fields = {}) => ({
	info: { role: "assistant", id, time, providerID: "anthropic", modelID: "claude-opus-5", ...fields },
	parts,
});
const text = (words: string, fields: Fields = {}) => ({ type: "text", text: words, ...fields });
const tool = (callID: string, name: string, state: Fields) => ({ type: "tool", tool: name, callID, state });

test("a reply holds its thinking, words and calls, and their results follow it", async () => {
	const session = await readDocument({
		info,
		messages: [
			asked(
				text("fix it"),
				text("Called the Read tool with the following input", { synthetic: true }),
				text("not sent", { ignored: true }),
				{ type: "file", mime: "text/plain", filename: "a.ts", url: "file:///w/a.ts" },
			),
			said("m1", [
				{ type: "step-start", snapshot: "s" },
				{ type: "reasoning", text: "where?", metadata: { anthropic: { signature: "c2ln" } } },
				text("I look."),
				tool("t1", "read", { status: "completed", input: { filePath: "a.ts" }, output: "let a" }),
				tool("t2", "edit", { status: "error", input: {}, error: "no such text" }),
				tool("t3", "bash", { status: "pending", input: {} }),
				{ type: "step-finish", reason: "tool-calls" },
				{ type: "hologram" },
			]),
			said("m2", [], { error: { name: "APIError" } }),
			said("m3", [text("So far.")], { summary: true }),
			said("m4", [text("Done.")]),
		],
	});
	expect(session).toMatchObject({ format: "opencode", id: "ses_1", cwd: "/w" });
	expect(outline(session)).toEqual([
		"user: fix it",
		"custom: Called the Read tool with the following input",
		'assistant: (where?) | I look. | read#t1 {"filePath":"a.ts"} | edit#t2 {} | bash#t3 {}',
		"toolResult: read#t1 let a",
		"toolResult: edit#t2 failed no such text",
		"assistant: Done.",
	]);
	expect(session.summaries).toMatchObject([{ text: "So far.", position: 5 }]);
	expect(damages(session)).toEqual(['#1 part of kind "hologram": left out']);
	expect(session.messages[0]?.timestamp).toBe(time.created);
});

test("the model and the usage of a request are those that the file records", async () => {
	const tokens = { input: 9_522, output: 144, reasoning: 6, cache: { read: 1_792, write: 30 } };
	const { messages } = await readDocument({
		info,
		messages: [asked(text("go")), said("m1", [text("So.")], { tokens })],
	});
	expect(messages[1]).toMatchObject({
		api: "anthropic-messages",
		provider: "anthropic",
		model: "claude-opus-5",
		usage: { input: 9_522, cacheRead: 1_792, cacheWrite: 30, output: 150 },
	});
});
