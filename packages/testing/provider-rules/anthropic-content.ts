/** The refusals of the Messages API about messages and their content. */
import { fieldsOf, recordsOf, sum, textOf, type UnknownRecord } from "#basics";
import { behaviorOf } from "../model-behavior.ts";
import { type Finding, type Rule, rule, ruleForEach } from "../refusal.ts";
import { blocksIn, blocksOf, isServerResult, messagesIn, textsOf } from "../request-body.ts";

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
	["server_tool_use", "assistant"],
	["mcp_tool_use", "assistant"],
	["compaction", "assistant"],
]);

function checkText(texts: readonly string[], place: string): Finding {
	if (texts.includes("")) return `${place}: text content blocks must be non-empty`;
	return (
		!texts.every((text) => text.trim()) && `${place}: text content blocks must contain non-whitespace text`
	);
}

const countMarkers = (blocks: readonly UnknownRecord[]): number =>
	sum(blocks, ({ type, content, cache_control: marker }) => {
		const nested = type === "tool_result" ? countMarkers(blocksOf(content)) : 0;
		return nested + (marker ? 1 : 0);
	});

export const contentRules: readonly Rule[] = [
	/** API reference, "body": `max_tokens` is required. */
	rule(({ max_tokens: limit }) => typeof limit !== "number" && "max_tokens: Field required"),
	/** API reference, "messages": there is at least one message. */
	rule(({ messages }) => {
		if (!Array.isArray(messages)) return "messages: Field required";
		return messages.length === 0 && "messages: at least one message is required";
	}),
	/** API reference, "messages.role": user or assistant, and on newer models system messages inside the conversation. */
	rule((body) => {
		const isAccepted = behaviorOf(textOf(body.model)).acceptsSystemMessages;
		const known = ["user", "assistant", ...(isAccepted ? ["system"] : [])];
		const index = messagesIn(body).findIndex(({ role }) => !known.includes(textOf(role)));
		if (messagesIn(body)[index]?.role === "system")
			return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
		return index >= 0 && `messages.${index}.role: Input should be 'user' or 'assistant'`;
	}),
	/** Well-known error: the conversation begins with the user. */
	rule((body) => messagesIn(body)[0]?.role !== "user" && 'messages: first message must use the "user" role'),
	/**
	 * Mid-conversation system messages (checked against the API in pydantic/pydantic-ai#6765): each stands behind a user
	 * message, in front of an answer or at the end, so that no two follow each other. Those that change tools or the effort come
	 * under betas of their own, and pi 1.5.2 sends them in other places too.
	 */
	ruleForEach(messagesIn, ({ role, content, output_config: effort }, index, list) => {
		const isPlain = effort === undefined && blocksOf(content).every(({ type }) => type === "text");
		if (role !== "system" || !isPlain) return undefined;
		const after = list[index + 1]?.role;
		const place = `messages.${index}: a \`system\` message must`;
		if (list[index - 1]?.role !== "user") return `${place} follow a \`user\` message`;
		const isLast = after === undefined || after === "assistant";
		return !isLast && `${place} precede an \`assistant\` message or end the conversation`;
	}),
	/** Well-known error: no message is empty, except an assistant message at the end and one that only sets the effort. */
	ruleForEach(messagesIn, ({ role, content, output_config: outputConfig }, index, list) => {
		if (role === "system" && fieldsOf(outputConfig).effort !== undefined) return undefined;
		const isLast = role === "assistant" && index === list.length - 1;
		const isEmpty = blocksOf(content).length === 0;
		return (
			isEmpty &&
			!isLast &&
			`messages.${index}: all messages must have non-empty content except for the optional final assistant message`
		);
	}),
	/** API reference, "content": block types belong to roles. */
	ruleForEach(blocksIn, ({ role, block, place }) => {
		const { type } = block;
		const owner = isServerResult(block) ? "assistant" : BLOCK_ROLES.get(textOf(type));
		if (owner === role || type === "text") return undefined;
		return owner
			? `${place}: \`${type}\` blocks can only be in \`${owner}\` messages`
			: `${place}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`;
	}),
	/** Well-known error: a text block holds text, not nothing and not only whitespace. */
	ruleForEach(messagesIn, ({ content }) => checkText(textsOf(content), "messages")),
	/** Well-known error: the same holds for the blocks of the system prompt. */
	rule(({ system }) => typeof system !== "string" && checkText(textsOf(system), "system")),
	/** Well-known error: tools have different names. */
	rule(({ tools }) => {
		const names = recordsOf(tools).map((tool) => tool.name);
		return new Set(names).size < names.length && "tools: Tool names must be unique.";
	}),
	/** Prompt caching guide and well-known error: up to four cache breakpoints. */
	rule((body) => {
		const blocks = blocksIn(body).map(({ block }) => block);
		const found = countMarkers([...recordsOf(body.tools), ...blocksOf(body.system), ...blocks]);
		const message = `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`;
		return found > MAX_BREAKPOINTS && message;
	}),
];

/** Well-known error: a prefilled assistant message does not end in whitespace. */
export const checkPrefill = rule((body) => {
	const last = messagesIn(body).at(-1);
	const text = last?.role === "assistant" ? textsOf(last.content).at(-1) : undefined;
	return text !== text?.trimEnd() && "messages: final assistant content cannot end with trailing whitespace";
});
