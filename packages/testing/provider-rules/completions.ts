import { recordsOf, textOf, type UnknownRecord } from "#basics";
import { invalidValue, type Rule, rule, ruleForEach, tooLong } from "../refusal.ts";
import { functionCallsOf, isBlankContent, messagesIn } from "../request-body.ts";

const ROLES = new Set(["system", "assistant", "user", "function", "tool", "developer"]);
const PART_TYPES = new Set(["text", "image_url", "input_audio", "refusal", "file"]);
const MAX_ID_LENGTH = 40;

const emptyArray = (path: string): string =>
	`Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;

/** The calls of all messages. `place` is such as `messages[3].tool_calls[0]`. */
const callsIn = (body: UnknownRecord) =>
	messagesIn(body).flatMap((message, index) =>
		functionCallsOf(message).map((call, at) => {
			return { ...call, index, place: `messages[${index}].tool_calls[${at}]` };
		}),
	);

const resultsIn = (body: UnknownRecord) =>
	messagesIn(body).flatMap(({ role, tool_call_id: id }, index) =>
		role === "tool" ? [{ id: textOf(id), index }] : [],
	);

/** A rule that no id appears twice ("Duplicate value for 'tool_call_id'"). */
const ruleOfUniqueIds = (
	listIn: (body: UnknownRecord) => readonly { readonly id: string; readonly index: number }[],
) =>
	ruleForEach(listIn, ({ id, index }, at, list) => {
		const first = list.findIndex((other) => other.id === id);
		if (first === at) return undefined;
		return `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}' in messages[${list[first]?.index}] and messages[${index}].`;
	});

/** The call ids of a message, in order. */
const callIds = (message: UnknownRecord): readonly string[] => functionCallsOf(message).map(({ id }) => id);

/** The client mistakes that the Chat Completions API refuses. */
export const completionsRules: readonly Rule[] = [
	/** API reference, "Create chat completion": `messages` is required and holds at least one message. */
	rule(({ messages }) => {
		if (!Array.isArray(messages)) return "Missing required parameter: 'messages'.";
		return messages.length === 0 && emptyArray("messages");
	}),
	/** Well-known error: a `tools` list that is sent must not be empty ("[] is too short - 'tools'"). */
	rule(({ tools }) => Array.isArray(tools) && tools.length === 0 && emptyArray("tools")),
	/** API reference, "messages": the role is one of the six that the error message lists. */
	ruleForEach(
		messagesIn,
		({ role }) =>
			!ROLES.has(textOf(role)) &&
			`Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
	),
	/** API reference, "messages": content is required, for assistants only as long as they call no tool. */
	ruleForEach(messagesIn, ({ role, content, tool_calls: calls }, index) => {
		if (typeof content === "string") return undefined;
		if (Array.isArray(content)) return content.length === 0 && emptyArray(`messages[${index}].content`);
		if (role === "assistant" && Array.isArray(calls)) return undefined;
		return `Invalid value for 'content': expected a string, got ${content === undefined ? "null" : String(content)}.`;
	}),
	/** Strict servers (vLLM, Bedrock): an assistant message that calls no tool says something. */
	ruleForEach(
		messagesIn,
		({ role, content, tool_calls: calls }, index) =>
			role === "assistant" &&
			recordsOf(calls).length === 0 &&
			isBlankContent(content) &&
			`Invalid 'messages[${index}].content': text content must be non-empty.`,
	),
	/** Strict servers (chat templates of Mistral and others, Bedrock): no assistant message follows another. */
	ruleForEach(
		messagesIn,
		({ role }, index, list) =>
			role === "assistant" &&
			list[index - 1]?.role === "assistant" &&
			"After the optional system message, conversation roles must alternate user/assistant",
	),
	/** API reference, "messages": content parts are of the types that the error message lists. */
	ruleForEach(
		(body) => messagesIn(body).flatMap(({ content }) => recordsOf(content)),
		({ type }) => invalidValue(type, PART_TYPES),
	),
	/** Well-known error: an assistant message that lists `tool_calls` lists at least one. */
	ruleForEach(
		messagesIn,
		({ tool_calls: calls }, index) =>
			Array.isArray(calls) && calls.length === 0 && emptyArray(`messages[${index}].tool_calls`),
	),
	/** Well-known error: call ids are at most 40 characters long ("string too long"). */
	ruleForEach(callsIn, ({ id, place }) => tooLong(id, MAX_ID_LENGTH, `${place}.id`)),
	/** API reference, "tool_calls": arguments are JSON in a string, not an object. */
	ruleForEach(
		callsIn,
		({ called, place }) =>
			typeof called.arguments !== "string" &&
			`Invalid type for '${place}.function.arguments': expected a string.`,
	),
	/** Well-known error: no call id appears twice. */
	ruleOfUniqueIds(callsIn),
	/** Function calling guide and well-known error: a tool message answers a call of the assistant message before it. */
	ruleForEach(messagesIn, ({ role, tool_call_id: id }, index, list) => {
		if (role !== "tool") return undefined;
		const caller = list.slice(0, index).findLast((message) => message.role !== "tool");
		const isAnswer = caller && callIds(caller).includes(textOf(id));
		return (
			!isAnswer &&
			"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
		);
	}),
	/** Well-known error: each call has one result. */
	ruleOfUniqueIds(resultsIn),
	/** Function calling guide and well-known error: every call is answered before any other message follows. */
	ruleForEach(messagesIn, (message, index, list) => {
		const rest = list.slice(index + 1);
		const end = rest.findIndex(({ role }) => role !== "tool");
		const answered = (end < 0 ? rest : rest.slice(0, end)).map(({ tool_call_id: id }) => textOf(id));
		const missing = callIds(message).filter((id) => !answered.includes(id));
		return (
			missing.length > 0 &&
			`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(", ")}`
		);
	}),
];
