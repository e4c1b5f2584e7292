/** One conversation as each agent would have recorded it. Every step but the last calls tools, and all are answered. */

export interface Conversation {
	readonly task: string;
	readonly steps: readonly Step[];
	/** The last word. */
	readonly end: string;
}

export interface Step {
	readonly thought: string;
	readonly said: string;
	readonly calls: readonly Call[];
}

export interface Call {
	readonly id: string;
	readonly name: string;
	readonly args: Readonly<Record<string, string>>;
	readonly output: string;
}

type Fields = Readonly<Record<string, unknown>>;
type Chat = (step: Step, n: number) => readonly Fields[];

const timestamp = "2026-01-02T03:04:05.000Z";

/** The parsed content of a file: a list of lines, or one document. */
export type Written =
	| { readonly type: "lines"; readonly lines: readonly Fields[] }
	| { readonly type: "document"; readonly document: unknown };

const lines = (written: readonly Fields[]): Written => ({ type: "lines", lines: written });
const wrap = (document: unknown): Written => ({ type: "document", document });

/** By the name of the format. */
export const writers: Readonly<Record<string, (conversation: Conversation) => Written>> = {
	pi: ({ task, steps, end }) => {
		const message = (fields: Fields) => ({ type: "message", message: { timestamp: 1, ...fields } });
		const reply: Chat = ({ thought, said, calls }) => [
			message({
				role: "assistant",
				content: [
					{ type: "thinking", thinking: thought },
					{ type: "text", text: said },
					...calls.map(({ id, name, args }) => ({ type: "toolCall", id, name, arguments: args })),
				],
			}),
			...calls.map(({ id, name, output }) =>
				message({
					role: "toolResult",
					toolCallId: id,
					toolName: name,
					content: text(output),
					isError: false,
				}),
			),
		];
		return lines([
			{ type: "session", id: "s" },
			message({ role: "user", content: task }),
			...steps.flatMap(reply),
			message({ role: "assistant", content: text(end) }),
		]);
	},
	"claude-code": ({ task, steps, end }) => {
		let last: string | null = null;
		const entry = (type: string, message: Fields, parentUuid: string | null = last) => {
			const uuid = `${type}-${last}`;
			last = uuid;
			return { uuid, parentUuid, isSidechain: false, sessionId: "s", timestamp, type, message };
		};
		const block = (n: number, content: Fields) => entry("assistant", { id: `m${n}`, content: [content] });
		const reply: Chat = ({ thought, said, calls }, n) => {
			const words = [
				block(n, { type: "thinking", thinking: thought }),
				block(n, { type: "text", text: said }),
			];
			const made = calls.map(({ id, name, args }) => block(n, { type: "tool_use", id, name, input: args }));
			const results = calls.map(({ id, output }, i) =>
				entry(
					"user",
					{ content: [{ type: "tool_result", tool_use_id: id, content: output }] },
					made[i]?.uuid,
				),
			);
			return [...words, ...made, ...results];
		};
		return lines([
			entry("user", { role: "user", content: task }),
			...steps.flatMap(reply),
			block(-1, { type: "text", text: end }),
		]);
	},
	codex: ({ task, steps, end }) => {
		const item = (payload: Fields) => ({ timestamp, type: "response_item", payload });
		const said = (role: string, words: string) =>
			item({
				type: "message",
				role,
				content: [{ type: role === "user" ? "input_text" : "output_text", text: words }],
			});
		const reply: Chat = (step) => [
			item({ type: "reasoning", summary: [{ type: "summary_text", text: step.thought }] }),
			said("assistant", step.said),
			...step.calls.map(({ id, name, args }) =>
				item({ type: "function_call", call_id: id, name, arguments: JSON.stringify(args) }),
			),
			...step.calls.map(({ id, output }) => item({ type: "function_call_output", call_id: id, output })),
		];
		const meta = { timestamp, type: "session_meta", payload: { id: "s" } };
		return lines([meta, said("user", task), ...steps.flatMap(reply), said("assistant", end)]);
	},
	"gemini-cli": ({ task, steps, end }) => {
		const message = (type: string, content: unknown, fields: Fields = {}) => ({
			type,
			content,
			timestamp,
			...fields,
		});
		const reply: Chat = ({ thought, said, calls }) => [
			message("gemini", said, {
				thoughts: [{ subject: "", description: thought }],
				toolCalls: calls.map(({ id, name, args, output }) => {
					const result = [{ functionResponse: { id, name, response: { output } } }];
					return { id, name, args, status: "success", result };
				}),
			}),
		];
		const messages = [message("user", [{ text: task }]), ...steps.flatMap(reply), message("gemini", end)];
		return wrap({
			sessionId: "s",
			projectHash: "p",
			messages: messages.map((each, i) => ({ id: `m${i}`, ...each })),
		});
	},
	"swe-agent": ({ task, steps, end }) => {
		const said = (role: string, content: string, fields: Fields = {}) => ({
			role,
			content,
			agent: "main",
			...fields,
		});
		const history = [
			said("system", "You are"),
			said("user", task),
			...writeChat(steps, said, ({ id }) => ({ tool_call_ids: [id] })),
			said("assistant", end),
		];
		return wrap({ history, trajectory: [], info: {} });
	},
	"mini-swe-agent": ({ task, steps, end }) => {
		const said = (role: string, content: string, fields: Fields = {}) => ({ role, content, ...fields });
		const messages = [
			said("system", "You are"),
			said("user", task),
			...writeChat(steps, said, ({ id }) => ({ tool_call_id: id, extra: { returncode: 0 } })),
			said("assistant", end, { extra: { actions: [] } }),
		];
		return wrap({ info: {}, messages, trajectory_format: "mini-swe-agent-1.1" });
	},
	openhands: ({ task, steps, end }) => {
		const reply: Chat = ({ thought, said, calls }, n) => {
			const message = { content: said, reasoning_content: thought, tool_calls: chatCalls(calls) };
			return calls.flatMap(({ id, name, output }, i) => {
				const tool_call_metadata = {
					tool_call_id: id,
					function_name: name,
					model_response: { id: `r${n}`, choices: [{ message }] },
				};
				const args = { thought: i === 0 ? said : "", command: "made of it" };
				return [
					{ source: "agent", action: "run", args, tool_call_metadata },
					{ source: "agent", observation: "run", content: output, extras: {}, tool_call_metadata },
				];
			});
		};
		const said = (source: string, content: string) => ({ source, action: "message", args: { content } });
		return wrap([said("user", task), ...steps.flatMap(reply), said("agent", end)]);
	},
	"openhands-sdk": ({ task, steps, end }) => {
		const said = (source: string, words: string) => ({
			kind: "MessageEvent",
			source,
			llm_message: { content: text(words) },
		});
		const reply: Chat = ({ thought, said: words, calls }, n) => [
			...calls.map(({ id, name, args }, i) => ({
				kind: "ActionEvent",
				llm_response_id: `r${n}`,
				thought: i === 0 ? text(words) : [],
				reasoning_content: i === 0 ? thought : null,
				tool_name: name,
				tool_call_id: id,
				tool_call: { id, name, arguments: JSON.stringify(args) },
			})),
			...calls.map(({ id, output }) => ({
				kind: "ObservationEvent",
				tool_call_id: id,
				observation: { content: text(output) },
			})),
		];
		return wrap([said("user", task), ...steps.flatMap(reply), said("agent", end)]);
	},
	atif: ({ task, steps, end }) => {
		const reply: Chat = ({ thought, said, calls }) => [
			{
				source: "agent",
				message: said,
				reasoning_content: thought,
				tool_calls: calls.map(({ id, name, args }) => ({
					tool_call_id: id,
					function_name: name,
					arguments: args,
				})),
				observation: { results: calls.map(({ id, output }) => ({ source_call_id: id, content: output })) },
			},
		];
		const all = [
			{ source: "user", message: task },
			...steps.flatMap(reply),
			{ source: "agent", message: end },
		];
		return wrap({ schema_version: "ATIF-v1.4", steps: all });
	},
};

function text(words: string): readonly Fields[] {
	return [{ type: "text", text: words }];
}

function chatCalls(calls: readonly Call[]): readonly Fields[] {
	return calls.map(({ id, name, args }) => ({ id, function: { name, arguments: JSON.stringify(args) } }));
}

function writeChat(
	steps: readonly Step[],
	said: (role: string, content: string, fields?: Fields) => Fields,
	answers: (call: Call) => Fields,
): readonly Fields[] {
	return steps.flatMap((step) => [
		said("assistant", step.said, { reasoning_content: step.thought, tool_calls: chatCalls(step.calls) }),
		...step.calls.map((call) => said("tool", call.output, answers(call))),
	]);
}
