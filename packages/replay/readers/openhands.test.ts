import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { damages, outline, useSessionFolder } from "../test-support/session-folder.ts";
import { readSession } from "./registry.ts";

const { readDocument } = useSessionFolder();
const folder = scratchFolder();

type Fields = Readonly<Record<string, unknown>>;

const tool_calls = [
	{ id: "t1", function: { name: "execute_bash", arguments: '{"command":"ls"}' } },
	{ id: "t2", function: { name: "str_replace_editor", arguments: '{"command":"view","path":"a.py"}' } },
];

/** The part of the response that an event carries next to its call. */
function metadata(tool_call_id: string, function_name: string): Fields {
	const message = { content: "Look.", reasoning_content: "where?", tool_calls };
	const model_response = { id: "r1", choices: [{ message }] };
	return { source: "agent", tool_call_metadata: { tool_call_id, function_name, model_response } };
}

const bash = metadata("t1", "execute_bash");
const editor = metadata("t2", "str_replace_editor");
const own = { source: "agent", extras: {} };

const stream: readonly Fields[] = [
	{ id: 0, source: "agent", action: "system", args: { content: "You are" } },
	{ id: 1, source: "user", action: "message", args: { content: "fix it" }, timestamp: "2026-01-02T03:04:05" },
	{ id: 2, source: "user", action: "recall", args: { query: "fix it" } },
	{ id: 3, source: "environment", observation: "agent_state_changed", content: "", extras: {} },
	{ id: 4, action: "run", args: { command: "ls", thought: "Look.", blocking: false }, ...bash },
	{ id: 5, observation: "run", content: "a.py", extras: { metadata: { exit_code: 1 } }, cause: 4, ...bash },
	{ id: 6, action: "read", args: { path: "a.py", thought: "" }, ...editor },
	{ id: 7, observation: "read", content: "1 import os", cause: 6, ...own },
	{ id: 8, action: "condensation", args: { forgotten_event_ids: [4, 5], summary: "Looked." }, ...own },
	{ id: 9, action: "write", args: { path: "b.py", content: "x", thought: "Now." }, ...own },
	{ id: 10, observation: "error", content: "read-only", cause: 9, ...own },
	{ id: 11, action: "message", args: { content: "I cannot." }, ...own },
	{ id: 12 },
];

const told = [
	"user: fix it",
	'assistant: (where?) | Look. | execute_bash#t1 {"command":"ls"} | str_replace_editor#t2 {"command":"view","path":"a.py"}',
	"toolResult: execute_bash#t1 failed a.py",
	"toolResult: str_replace_editor#t2 1 import os",
	'assistant: Now. | write#c9 {"path":"b.py","content":"x"}',
	"toolResult: write#c9 failed read-only",
	"assistant: I cannot.",
];

test("actions of one response are one reply, with the arguments that the model wrote", async () => {
	const session = await readDocument(stream);
	expect(outline(session)).toEqual(told);
	expect(session).toMatchObject({ format: "openhands", summaries: [{ text: "Looked." }] });
	expect(damages(session)).toEqual(["#12 neither an action nor an observation: skipped"]);
});

test("one file an event is one session, in the order of the numbers", async () => {
	for (const [i, event] of stream.entries())
		await writeFile(join(folder, `${i}.json`), JSON.stringify(event, null, 1));
	await writeFile(join(folder, "9.json"), "{cut");
	const session = await readSession(folder);
	const without = told.filter((line) => !line.includes("write#c9"));
	expect(outline(session)).toEqual([...without.slice(0, -1), "custom: read-only", ...without.slice(-1)]);
	expect(damages(session)).toEqual([
		":9 no JSON object: skipped",
		":12 neither an action nor an observation: skipped",
	]);
});

test("events of the SDK are told apart by their kind", async () => {
	const said = (text: string) => [{ type: "text", text }];
	const action = (tool_call_id: string, tool_name: string, args: Fields) => ({
		kind: "ActionEvent",
		source: "agent",
		tool_name,
		tool_call_id,
		llm_response_id: "r1",
		thought: tool_call_id === "t1" ? said("Look.") : [],
		tool_call: { id: tool_call_id, name: tool_name, arguments: JSON.stringify(args) },
		action: { kind: "TerminalAction", ...args, is_input: false },
	});
	const asked = { role: "user", content: said("fix it") };
	const session = await readDocument([
		{ kind: "SystemPromptEvent", source: "agent", system_prompt: { text: "You are" } },
		{ kind: "MessageEvent", source: "user", llm_message: asked, extended_content: said("A skill.") },
		action("t1", "terminal", { command: "ls" }),
		action("t2", "file_editor", { command: "view" }),
		{ kind: "ObservationEvent", tool_call_id: "t1", observation: { output: "a.py", exit_code: 0 } },
		{ kind: "AgentErrorEvent", tool_call_id: "t2", error: "no path" },
		{ kind: "Condensation", summary: "Looked." },
		{ kind: "MessageEvent", source: "agent", llm_message: { content: said("Done.") } },
		{ source: "agent" },
	]);
	expect(outline(session)).toEqual([
		"user: fix it",
		"custom: A skill.",
		'assistant: Look. | terminal#t1 {"command":"ls"} | file_editor#t2 {"command":"view"}',
		"toolResult: terminal#t1 a.py",
		"toolResult: file_editor#t2 failed no path",
		"assistant: Done.",
	]);
	expect(session).toMatchObject({ format: "openhands-sdk", summaries: [{ text: "Looked." }] });
	expect(damages(session)).toEqual(["#8 an event without a kind: skipped"]);
});
