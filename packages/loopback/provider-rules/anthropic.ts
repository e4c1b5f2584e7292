import { behaviorOf } from "../models/behavior.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { applyRules, badRequest, firstOf, type Refusal, type Rule } from "../wire/refusal.ts";
import {
	checkLatestThinking,
	checkLoopThinking,
	checkSignatures,
	checkThinkingBudget,
	checkThinkingLeads,
	checkThinkingMode,
} from "./anthropic-thinking.ts";
import {
	blocksOf,
	checkErrorsSpeak,
	checkResultsHaveUses,
	checkResultsUnique,
	checkUseIds,
	checkUsesHaveResults,
	checkUsesUnique,
} from "./anthropic-turns.ts";

const MAX_BREAKPOINTS = 4;

/** The role that each block type belongs to; the others may stand in both. */
const BLOCK_ROLES = new Map([
	["tool_use", "assistant"],
	["thinking", "assistant"],
	["redacted_thinking", "assistant"],
	["tool_result", "user"],
	["image", "user"],
	["document", "user"],
	["tool_addition", "system"],
	["tool_removal", "system"],
]);

/** API reference, "body": `max_tokens` is required. */
function checkMaxTokens({ max_tokens: maxTokens }: Fields): Refusal | undefined {
	return typeof maxTokens === "number" ? undefined : badRequest("max_tokens: Field required");
}

/** API reference, "messages": there is at least one message. */
function checkMessagesPresent({ messages }: Fields): Refusal | undefined {
	if (!Array.isArray(messages)) return badRequest("messages: Field required");
	return messages.length === 0 ? badRequest("messages: at least one message is required") : undefined;
}

/** API reference, "messages.role": user or assistant, and on newer models system messages inside the conversation. */
function checkRoles({ model, messages }: Fields): Refusal | undefined {
	const acceptsSystem = behaviorOf(stringOf(model)).acceptsSystemMessages;
	return firstOf(objectsOf(messages), ({ role }, index) => {
		if (role === "user" || role === "assistant") return undefined;
		if (role === "system" && acceptsSystem) return undefined;
		if (role !== "system") return badRequest(`messages.${index}.role: Input should be 'user' or 'assistant'`);
		return badRequest(
			'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
		);
	});
}

/**
 * Mid-conversation system messages (checked against the API in pydantic/pydantic-ai#6765): each stands behind a user
 * message, in front of an answer or at the end, so that no two follow each other. Those that change tools or the effort come
 * under betas of their own, and pi 1.5.2 sends them in other places too.
 */
function checkSystemPlaces({ messages }: Fields): Refusal | undefined {
	const list = objectsOf(messages);
	return firstOf(list, ({ role, content, output_config: effort }, index) => {
		const isPlain = effort === undefined && blocksOf(content).every(({ type }) => type === "text");
		if (role !== "system" || !isPlain) return undefined;
		const after = list[index + 1]?.role;
		const place = `messages.${index}: a \`system\` message must`;
		if (list[index - 1]?.role !== "user") return badRequest(`${place} follow a \`user\` message`);
		if (after === undefined || after === "assistant") return undefined;
		return badRequest(`${place} precede an \`assistant\` message or end the conversation`);
	});
}

/** Well-known error: the conversation begins with the user. */
function checkFirstRole({ messages }: Fields): Refusal | undefined {
	if (objectsOf(messages)[0]?.role === "user") return undefined;
	return badRequest('messages: first message must use the "user" role');
}

/** Well-known error: no message is empty, except an assistant message at the end and one that only sets the effort. */
function checkContentPresent({ messages }: Fields): Refusal | undefined {
	const list = objectsOf(messages);
	return firstOf(list, ({ role, content, output_config: outputConfig }, index) => {
		const filled = typeof content === "string" ? content !== "" : objectsOf(content).length > 0;
		if (role === "system" && fieldsOf(outputConfig).effort !== undefined) return undefined;
		if (filled || (role === "assistant" && index === list.length - 1)) return undefined;
		return badRequest(
			`messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
		);
	});
}

/** API reference, "content": block types belong to roles. */
function checkBlockTypes({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ role, content }, index) =>
		firstOf(blocksOf(content), ({ type }, at) => {
			const owner = BLOCK_ROLES.get(stringOf(type));
			if (owner === role || type === "text") return undefined;
			const place = `messages.${index}.content.${at}`;
			if (owner) return badRequest(`${place}: \`${type}\` blocks can only be in \`${owner}\` messages`);
			return badRequest(
				`${place}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`,
			);
		}),
	);
}

/** All text blocks of a content, those inside tool results too. */
function textsOf(content: unknown): readonly string[] {
	return blocksOf(content).flatMap((block) => {
		if (block.type === "text") return [stringOf(block.text)];
		return typeof block.content === "string" ? [] : textsOf(block.content);
	});
}

function checkText(texts: readonly string[], place: string): Refusal | undefined {
	if (texts.includes("")) return badRequest(`${place}: text content blocks must be non-empty`);
	if (texts.every((text) => text.trim())) return undefined;
	return badRequest(`${place}: text content blocks must contain non-whitespace text`);
}

/** Well-known error: a text block holds text, not nothing and not only whitespace. */
function checkMessageTexts({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ content }) =>
		content === "" ? undefined : checkText(textsOf(content), "messages"),
	);
}

/** Well-known error: the same holds for the blocks of the system prompt. */
function checkSystemTexts({ system }: Fields): Refusal | undefined {
	return typeof system === "string" ? undefined : checkText(textsOf(system), "system");
}

/** Well-known error: a prefilled assistant message does not end in whitespace. */
function checkPrefill({ messages }: Fields): Refusal | undefined {
	const last = objectsOf(messages).at(-1);
	const text = last?.role === "assistant" ? textsOf(last.content).at(-1) : undefined;
	if (text === undefined || text === text.trimEnd()) return undefined;
	return badRequest("messages: final assistant content cannot end with trailing whitespace");
}

function countMarkers(blocks: readonly Fields[]): number {
	return blocks.reduce(
		(total, block) =>
			total +
			(block.cache_control ? 1 : 0) +
			(block.type === "tool_result" ? countMarkers(blocksOf(block.content)) : 0),
		0,
	);
}

/** Prompt caching guide and well-known error: up to four cache breakpoints. */
function checkBreakpoints({ tools, system, messages }: Fields): Refusal | undefined {
	const blocks = objectsOf(messages).flatMap((message) => blocksOf(message.content));
	const found = countMarkers([...objectsOf(tools), ...blocksOf(system), ...blocks]);
	if (found <= MAX_BREAKPOINTS) return undefined;
	return badRequest(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`);
}

/** Well-known error: tools have different names. */
function checkToolNames({ tools }: Fields): Refusal | undefined {
	const names = objectsOf(tools).map((tool) => tool.name);
	return new Set(names).size === names.length ? undefined : badRequest("tools: Tool names must be unique.");
}

export const anthropicRules: readonly Rule[] = [
	checkMaxTokens,
	checkMessagesPresent,
	checkRoles,
	checkFirstRole,
	checkSystemPlaces,
	checkContentPresent,
	checkBlockTypes,
	checkMessageTexts,
	checkSystemTexts,
	checkToolNames,
	checkBreakpoints,
	checkThinkingMode,
	checkThinkingBudget,
	checkUseIds,
	checkUsesUnique,
	checkResultsHaveUses,
	checkResultsUnique,
	checkUsesHaveResults,
	checkErrorsSpeak,
	checkSignatures,
	checkLatestThinking,
	checkThinkingLeads,
	checkLoopThinking,
	checkPrefill,
];

/** Returns the error of a request that the Messages API refuses; covers the mistakes that clients can make. */
export function checkAnthropic(body: unknown): Refusal | undefined {
	return applyRules(anthropicRules, body);
}
