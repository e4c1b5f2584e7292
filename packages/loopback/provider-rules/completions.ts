import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { applyRules, badRequest, firstOf, type Refusal, type Rule } from "../wire/refusal.ts";

const ROLES = new Set(["system", "assistant", "user", "function", "tool", "developer"]);
const PART_TYPES = new Set(["text", "image_url", "input_audio", "refusal", "file"]);
const MAX_ID_LENGTH = 40;

function emptyArray(path: string): Refusal {
	const message = `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
	return badRequest(message, path, "empty_array");
}

/** API reference, "Create chat completion": `messages` is required and holds at least one message. */
function checkMessagesPresent({ messages }: Fields): Refusal | undefined {
	if (!Array.isArray(messages)) {
		return badRequest("Missing required parameter: 'messages'.", "messages", "missing_required_parameter");
	}
	return messages.length === 0 ? emptyArray("messages") : undefined;
}

/** Well-known error: a `tools` list that is sent must not be empty ("[] is too short - 'tools'"). */
function checkToolsPresent({ tools }: Fields): Refusal | undefined {
	return Array.isArray(tools) && tools.length === 0 ? emptyArray("tools") : undefined;
}

/** API reference, "messages": the role is one of the six that the error message lists. */
function checkRoles({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ role }, index) => {
		if (ROLES.has(stringOf(role))) return undefined;
		const supported = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
		const message = `Invalid value: '${String(role)}'. Supported values are: ${supported}.`;
		return badRequest(message, `messages[${index}].role`, "invalid_value");
	});
}

/** API reference, "messages": content is required, for assistants only as long as they call no tool. */
function checkContent({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ role, content, tool_calls: calls }, index) => {
		const path = `messages[${index}].content`;
		if (typeof content === "string") return undefined;
		if (Array.isArray(content)) return content.length === 0 ? emptyArray(path) : undefined;
		if (role === "assistant" && Array.isArray(calls)) return undefined;
		const message = `Invalid value for 'content': expected a string, got ${content === undefined ? "null" : String(content)}.`;
		return badRequest(message, `messages.[${index}].content`);
	});
}

/** API reference, "messages": content parts are of the types that the error message lists. */
function checkPartTypes({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ content }, index) =>
		firstOf(objectsOf(content), ({ type }, part) => {
			if (PART_TYPES.has(stringOf(type))) return undefined;
			const supported = [...PART_TYPES].map((name) => `'${name}'`).join(", ");
			const message = `Invalid value: '${String(type)}'. Supported values are: ${supported}.`;
			return badRequest(message, `messages[${index}].content[${part}].type`, "invalid_value");
		}),
	);
}

/** Well-known error: an assistant message that lists `tool_calls` lists at least one. */
function checkCallsPresent({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ tool_calls: calls }, index) =>
		Array.isArray(calls) && calls.length === 0 ? emptyArray(`messages[${index}].tool_calls`) : undefined,
	);
}

/** Well-known error: call ids are at most 40 characters long ("string too long"). */
function checkCallIds({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), (message, index) =>
		firstOf(objectsOf(message.tool_calls), (call, at) => {
			const { length } = stringOf(call.id);
			if (length <= MAX_ID_LENGTH) return undefined;
			const path = `messages[${index}].tool_calls[${at}].id`;
			const text = `Invalid '${path}': string too long. Expected a string with maximum length ${MAX_ID_LENGTH}, but got a string with length ${length} instead.`;
			return badRequest(text, path, "string_above_max_length");
		}),
	);
}

/** API reference, "tool_calls": arguments are JSON in a string, not an object. */
function checkCallArguments({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), (message, index) =>
		firstOf(objectsOf(message.tool_calls), (call, at) => {
			const path = `messages[${index}].tool_calls[${at}].function.arguments`;
			if (typeof fieldsOf(call.function).arguments === "string") return undefined;
			return badRequest(`Invalid type for '${path}': expected a string.`, path, "invalid_type");
		}),
	);
}

/** The call ids of each message, in order. */
function callIds(message: Fields): readonly string[] {
	return objectsOf(message.tool_calls).map((call) => stringOf(call.id));
}

/** Well-known error: no call id appears twice ("Duplicate value for 'tool_call_id'"). */
function checkUniqueCalls({ messages }: Fields): Refusal | undefined {
	const seen = new Map<string, number>();
	return firstOf(objectsOf(messages), (message, index) =>
		firstOf(callIds(message), (id) => {
			const earlier = seen.get(id);
			seen.set(id, index);
			return earlier === undefined ? undefined : duplicateId(id, earlier, index, "tool_calls");
		}),
	);
}

function duplicateId(id: string, earlier: number, index: number, field: string): Refusal {
	const message = `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}' in messages[${earlier}] and messages[${index}].`;
	return badRequest(message, `messages.[${index}].${field}`);
}

/** Well-known error: each call has one result ("Duplicate value for 'tool_call_id'"). */
function checkUniqueResults({ messages }: Fields): Refusal | undefined {
	const seen = new Map<string, number>();
	return firstOf(objectsOf(messages), ({ role, tool_call_id: callId }, index) => {
		if (role !== "tool") return undefined;
		const id = stringOf(callId);
		const earlier = seen.get(id);
		seen.set(id, index);
		return earlier === undefined ? undefined : duplicateId(id, earlier, index, "tool_call_id");
	});
}

/** For each message, the ids that the assistant message before the present run of results has called. */
function openCalls(messages: readonly Fields[]): readonly (readonly string[])[] {
	let calls: readonly string[] = [];
	return messages.map((message) => {
		if (message.role !== "tool") calls = callIds(message);
		return calls;
	});
}

/** Function calling guide and well-known error: a tool message answers a call of the assistant message before it. */
function checkResultsHaveCalls({ messages }: Fields): Refusal | undefined {
	const list = objectsOf(messages);
	const open = openCalls(list);
	return firstOf(list, ({ role, tool_call_id: id }, index) => {
		if (role !== "tool" || open[index]?.includes(stringOf(id))) return undefined;
		const message =
			"Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
		return badRequest(message, `messages.[${index}].role`);
	});
}

/** The ids that the run of tool messages after a position answers. */
function answersAfter(messages: readonly Fields[], index: number): ReadonlySet<string> {
	const ids = new Set<string>();
	for (let at = index + 1; messages[at]?.role === "tool"; at++) ids.add(stringOf(messages[at]?.tool_call_id));
	return ids;
}

/** Function calling guide and well-known error: every call is answered before any other message follows. */
function checkCallsHaveResults({ messages }: Fields): Refusal | undefined {
	const list = objectsOf(messages);
	return firstOf(list, (message, index) => {
		const answered = answersAfter(list, index);
		const missing = callIds(message).filter((id) => !answered.has(id));
		if (missing.length === 0) return undefined;
		const text = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(", ")}`;
		return badRequest(text, `messages.[${index}].role`);
	});
}

export const completionsRules: readonly Rule[] = [
	checkMessagesPresent,
	checkToolsPresent,
	checkRoles,
	checkContent,
	checkPartTypes,
	checkCallsPresent,
	checkCallIds,
	checkCallArguments,
	checkUniqueCalls,
	checkResultsHaveCalls,
	checkUniqueResults,
	checkCallsHaveResults,
];

/** Returns the error of a request that the Chat Completions API refuses; covers the mistakes that clients can make. */
export function checkCompletions(body: unknown): Refusal | undefined {
	return applyRules(completionsRules, body);
}
