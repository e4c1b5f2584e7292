/** One short conversation as each agent records it: a task, a reply that thinks, speaks and calls, its result, the last word. */

type Fields = Readonly<Record<string, unknown>>;

const timestamp = "2026-01-02T03:04:05.000Z";
const said = (text: string) => [{ type: "text", text }];
const args = { command: "ls" };
const written = JSON.stringify(args);
const called = { id: "t1", function: { name: "bash", arguments: written } };
const asked = { role: "user", content: "fix it" };

const message = (fields: Fields) => ({ type: "message", message: { timestamp: 1, ...fields } });
const entry = (uuid: number, type: string, content: unknown, id = "m1") => ({
	...{ uuid: `u${uuid}`, parentUuid: uuid > 1 ? `u${uuid - 1}` : null, isSidechain: false, sessionId: "s" },
	...{ timestamp, type, message: { id, role: type, content } },
});
const item = (payload: Fields) => ({ timestamp, type: "response_item", payload });
const answered = { functionResponse: { id: "t1", name: "bash", response: { output: "a.py" } } };
const response = {
	id: "r1",
	choices: [{ message: { content: "Look.", reasoning_content: "where?", tool_calls: [called] } }],
};
const chat = (answer: Fields): readonly Fields[] => [
	{ role: "assistant", content: "Look.", reasoning_content: "where?", tool_calls: [called] },
	{ role: "tool", content: "a.py", ...answer },
];

/** By the name of the format: the lines of a file, or the document that it is. */
export const samples: Readonly<
	Record<string, { readonly lines: readonly Fields[] } | { readonly document: unknown }>
> = {
	pi: {
		lines: [
			{ type: "session", id: "s" },
			message(asked),
			message({
				role: "assistant",
				content: [
					...[{ type: "thinking", thinking: "where?" }, ...said("Look.")],
					{ type: "toolCall", id: "t1", name: "bash", arguments: args },
				],
			}),
			message({
				role: "toolResult",
				toolCallId: "t1",
				toolName: "bash",
				content: said("a.py"),
				isError: false,
			}),
			message({ role: "assistant", content: said("Done.") }),
		],
	},
	"claude-code": {
		lines: [
			entry(1, "user", "fix it"),
			entry(2, "assistant", [{ type: "thinking", thinking: "where?" }]),
			entry(3, "assistant", said("Look.")),
			entry(4, "assistant", [{ type: "tool_use", id: "t1", name: "bash", input: args }]),
			entry(5, "user", [{ type: "tool_result", tool_use_id: "t1", content: "a.py" }]),
			entry(6, "assistant", said("Done."), "m2"),
		],
	},
	codex: {
		lines: [
			{ timestamp, type: "session_meta", payload: { id: "s" } },
			item({ type: "message", role: "user", content: [{ type: "input_text", text: "fix it" }] }),
			item({ type: "reasoning", summary: [{ type: "summary_text", text: "where?" }] }),
			item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Look." }] }),
			item({ type: "function_call", call_id: "t1", name: "bash", arguments: written }),
			item({ type: "function_call_output", call_id: "t1", output: "a.py" }),
			item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }),
		],
	},
	"gemini-cli": {
		document: {
			sessionId: "s",
			projectHash: "p",
			messages: [
				{ id: "1", type: "user", content: [{ text: "fix it" }], timestamp },
				{
					id: "2",
					type: "gemini",
					content: "Look.",
					timestamp,
					thoughts: [{ subject: "", description: "where?" }],
					toolCalls: [{ id: "t1", name: "bash", args, status: "success", result: [answered] }],
				},
				{ id: "3", type: "gemini", content: "Done.", timestamp },
			],
		},
	},
	"swe-agent": {
		document: {
			history: [
				...[{ role: "system", content: "You are", agent: "main" }, asked, ...chat({ tool_call_ids: ["t1"] })],
				{ role: "assistant", content: "Done." },
			],
		},
	},
	"mini-swe-agent": {
		document: {
			trajectory_format: "mini-swe-agent-1.1",
			messages: [
				...[
					{ role: "system", content: "You are" },
					asked,
					...chat({ tool_call_id: "t1", extra: { returncode: 0 } }),
				],
				{ role: "assistant", content: "Done.", extra: { actions: [] } },
			],
		},
	},
	openhands: {
		document: [
			{ source: "user", action: "message", args: { content: "fix it" } },
			...[
				{ action: "run", args: { thought: "Look.", command: "made of it" } },
				{ observation: "run", content: "a.py", extras: {} },
			].map((event) => ({
				source: "agent",
				...event,
				tool_call_metadata: { tool_call_id: "t1", function_name: "bash", model_response: response },
			})),
			{ source: "agent", action: "message", args: { content: "Done." } },
		],
	},
	"openhands-sdk": {
		document: [
			{ kind: "MessageEvent", source: "user", llm_message: { content: said("fix it") } },
			{
				...{
					kind: "ActionEvent",
					llm_response_id: "r1",
					thought: said("Look."),
					reasoning_content: "where?",
				},
				...{ tool_name: "bash", tool_call_id: "t1", tool_call: { ...called.function, id: "t1" } },
			},
			{ kind: "ObservationEvent", tool_call_id: "t1", observation: { content: said("a.py") } },
			{ kind: "MessageEvent", source: "agent", llm_message: { content: said("Done.") } },
		],
	},
	atif: {
		document: {
			schema_version: "ATIF-v1.4",
			steps: [
				{ source: "user", message: "fix it" },
				{
					source: "agent",
					message: "Look.",
					reasoning_content: "where?",
					tool_calls: [{ tool_call_id: "t1", function_name: "bash", arguments: args }],
					observation: { results: [{ source_call_id: "t1", content: "a.py" }] },
				},
				{ source: "agent", message: "Done." },
			],
		},
	},
};
