import { expect, test } from "vitest";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";

const { readLines } = useSessionFolder();

type Fields = Readonly<Record<string, unknown>>;

function line(type: string, payload: Fields): Fields {
	return { timestamp: "2026-01-02T03:04:05.000Z", type, payload };
}

const item = (type: string, fields: Fields) => line("response_item", { type, ...fields });
const said = (role: string, text: string) =>
	item("message", { role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] });
const call = (call_id: string, name: string, args: Fields) =>
	item("function_call", { call_id, name, arguments: JSON.stringify(args) });
const output = (call_id: string, text: unknown) => item("function_call_output", { call_id, output: text });
const meta = line("session_meta", { id: "s", cwd: "/w", cli_version: "1" });

test("what the model says up to an output is one reply; patches, shell calls and searches are calls as well", async () => {
	const session = await readLines(
		meta,
		said("user", "go"),
		line("event_msg", { type: "user_message", message: "go" }),
		said("assistant", "I look."),
		call("e1", "exec_command", { cmd: "ls" }),
		call("e2", "exec_command", { cmd: "cat a.ts" }),
		line("event_msg", { type: "token_count", info: null }),
		output("e1", "Process exited with code 0\nOutput:\na.ts"),
		output("e2", "Process exited with code 1\nOutput:\nno"),
		item("custom_tool_call", { call_id: "c1", name: "apply_patch", input: "*** Begin Patch" }),
		item("custom_tool_call_output", { call_id: "c1", output: "Exit code: 0" }),
		item("local_shell_call", { call_id: "c2", action: { type: "exec", command: ["bash", "-lc", "ls"] } }),
		output("c2", JSON.stringify({ output: "nothing", metadata: { exit_code: 2 } })),
		item("web_search_call", { action: { type: "search", query: "q" } }),
	);
	expect(outline(session)).toEqual([
		"user: go",
		'assistant: I look. | exec_command#e1 {"cmd":"ls"} | exec_command#e2 {"cmd":"cat a.ts"}',
		"toolResult: exec_command#e1 Process exited with code 0\nOutput:\na.ts",
		"toolResult: exec_command#e2 failed Process exited with code 1\nOutput:\nno",
		'assistant: apply_patch#c1 {"input":"*** Begin Patch"}',
		"toolResult: apply_patch#c1 Exit code: 0",
		'assistant: local_shell#c2 {"type":"exec","command":["bash","-lc","ls"]}',
		"toolResult: local_shell#c2 failed nothing",
		'assistant: web_search_call#line 14 {"type":"search","query":"q"}',
	]);
});

test("reasoning without a summary is kept by its encrypted content, with the model and the provider's count", async () => {
	const counted = { input_tokens: 1_000, cached_input_tokens: 600, output_tokens: 50 };
	const { messages, id } = await readLines(
		meta,
		line("turn_context", { model: "gpt-5.6-sol" }),
		said("user", "go"),
		item("reasoning", { summary: [], encrypted_content: "gAAAAB" }),
		call("e1", "exec_command", { cmd: "ls" }),
		output("e1", "a.ts"),
		line("event_msg", { type: "token_count", info: { last_token_usage: counted } }),
		said("assistant", "Done."),
	);
	expect(id).toBe("s");
	const seal = JSON.stringify({ type: "reasoning", encrypted_content: "gAAAAB" });
	expect(messages[1]).toMatchObject({
		content: [{ type: "thinking", thinking: "", thinkingSignature: seal }, { type: "toolCall" }],
		api: "openai-responses",
		model: "gpt-5.6-sol",
		usage: { input: 400, cacheRead: 600, output: 50 },
	});
});

test("what a program says in a person's name is a note", async () => {
	const session = await readLines(
		meta,
		said("developer", "<permissions instructions>ask</permissions instructions>"),
		said("user", "# AGENTS.md instructions for /w\n\nBe brief."),
		said("user", "<environment_context><cwd>/w</cwd></environment_context>"),
		said("user", "<recommended_plugins>none</recommended_plugins>"),
		said("user", "<user_shell_command>ls</user_shell_command>"),
		said("user", "<div> is what I want to know about"),
		said("assistant", "A box."),
	);
	const roles = session.messages.map(({ role }) => role).join(" ");
	expect(roles).toBe("custom custom custom custom user user assistant");
});

test("turns that a person took back are left out, and a compaction is undone: its summary stands apart", async () => {
	const session = await readLines(
		meta,
		...[said("user", "one"), said("assistant", "First."), said("user", "two"), said("assistant", "Second.")],
		line("event_msg", { type: "thread_rolled_back", num_turns: 1 }),
		...[said("user", "other"), said("assistant", "Third.")],
		line("compacted", { message: "So far: third.", replacement_history: [] }),
		said("assistant", "Fourth."),
	);
	expect(outline(session)).toEqual([
		...["user: one", "assistant: First.", "user: other", "assistant: Third.", "assistant: Fourth."],
	]);
	expect(session.summaries).toMatchObject([{ text: "So far: third." }]);
});

test("the first versions wrote items without an envelope", async () => {
	const session = await readLines(
		{ id: "s", timestamp: "2025-05-01T00:00:00Z", instructions: null },
		{ record_type: "state" },
		{ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
		{ type: "function_call", call_id: "c1", name: "shell", arguments: '{"command":["ls"]}' },
		{ type: "function_call_output", call_id: "c1", output: "a.ts" },
	);
	expect(outline(session)).toEqual([
		"user: go",
		'assistant: shell#c1 {"command":["ls"]}',
		"toolResult: shell#c1 a.ts",
	]);
});

test("damaged lines and unknown items are told with their place", async () => {
	const session = await readLines(
		meta,
		said("user", "go"),
		'{"timestamp":',
		item("telepathy", {}),
		item("function_call", { call_id: "c1", name: "shell", arguments: "{not json" }),
	);
	expect(outline(session)).toEqual(["user: go", 'assistant: shell#c1 {"input":"{not json"}']);
	expect(damages(session)).toEqual([":3 no JSON object: skipped", ':4 item of kind "telepathy": left out']);
});
