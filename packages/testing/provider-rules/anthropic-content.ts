/** The refusals of the Messages API about messages and their content. */
import { blocksOf, type Fields, fieldsOf, objectsOf, stringOf } from "../json.ts";
import { behaviorOf } from "../model-behavior.ts";
import { type Finding, type Rule, rule, ruleForEach } from "../refusal.ts";
import { blocksIn, isServerResult, messagesIn, textsOf } from "./anthropic-body.ts";

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

const ownerOf = (block: Fields): string | undefined =>
	isServerResult(block) ? "assistant" : BLOCK_ROLES.get(stringOf(block.type));

function checkText(texts: readonly string[], place: string): Finding {
	if (texts.includes("")) return `${place}: text content blocks must be non-empty`;
	if (texts.every((text) => text.trim())) return undefined;
	return `${place}: text content blocks must contain non-whitespace text`;
}

function countMarkers(blocks: readonly Fields[]): number {
	const nested = blocks.flatMap((block) =>
		block.type === "tool_result" ? [countMarkers(blocksOf(block.content))] : [],
	);
	return nested.reduce((sum, count) => sum + count, blocks.filter((block) => block.cache_control).length);
}

export const contentRules: readonly Rule[] = [
	/** API reference, "body": `max_tokens` is required. */
	rule(({ max_tokens: maxTokens }) =>
		typeof maxTokens === "number" ? undefined : "max_tokens: Field required",
	),
	/** API reference, "messages": there is at least one message. */
	rule(({ messages }) => {
		if (!Array.isArray(messages)) return "messages: Field required";
		return messages.length === 0 ? "messages: at least one message is required" : undefined;
	}),
	/** API reference, "messages.role": user or assistant, and on newer models system messages inside the conversation. */
	rule((body) => {
		const isAccepted = behaviorOf(stringOf(body.model)).acceptsSystemMessages;
		const known = ["user", "assistant", ...(isAccepted ? ["system"] : [])];
		const roles = messagesIn(body).map(({ role }) => stringOf(role));
		const index = roles.findIndex((role) => !known.includes(role));
		if (index === -1) return undefined;
		if (roles[index] !== "system") return `messages.${index}.role: Input should be 'user' or 'assistant'`;
		return 'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.';
	}),
	/** Well-known error: the conversation begins with the user. */
	rule(({ messages }) =>
		objectsOf(messages)[0]?.role === "user" ? undefined : 'messages: first message must use the "user" role',
	),
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
		if (after === undefined || after === "assistant") return undefined;
		return `${place} precede an \`assistant\` message or end the conversation`;
	}),
	/** Well-known error: no message is empty, except an assistant message at the end and one that only sets the effort. */
	ruleForEach(messagesIn, ({ role, content, output_config: outputConfig }, index, list) => {
		if (role === "system" && fieldsOf(outputConfig).effort !== undefined) return undefined;
		const isLast = role === "assistant" && index === list.length - 1;
		if (blocksOf(content).length > 0 || isLast) return undefined;
		return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
	}),
	/** API reference, "content": block types belong to roles. */
	ruleForEach(blocksIn, ({ role, block, place }) => {
		const { type } = block;
		const owner = ownerOf(block);
		if (owner === role || type === "text") return undefined;
		return owner
			? `${place}: \`${type}\` blocks can only be in \`${owner}\` messages`
			: `${place}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`;
	}),
	/** Well-known error: a text block holds text, not nothing and not only whitespace. */
	ruleForEach(messagesIn, ({ content }) => checkText(textsOf(content), "messages")),
	/** Well-known error: the same holds for the blocks of the system prompt. */
	rule(({ system }) => (typeof system === "string" ? undefined : checkText(textsOf(system), "system"))),
	/** Well-known error: tools have different names. */
	rule(({ tools }) => {
		const names = objectsOf(tools).map((tool) => tool.name);
		return new Set(names).size === names.length ? undefined : "tools: Tool names must be unique.";
	}),
	/** Prompt caching guide and well-known error: up to four cache breakpoints. */
	rule(({ tools, system, messages }) => {
		const blocks = objectsOf(messages).flatMap((message) => blocksOf(message.content));
		const found = countMarkers([...objectsOf(tools), ...blocksOf(system), ...blocks]);
		if (found <= MAX_BREAKPOINTS) return undefined;
		return `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`;
	}),
];

/** Well-known error: a prefilled assistant message does not end in whitespace. */
export const checkPrefill = rule(({ messages }) => {
	const last = objectsOf(messages).at(-1);
	const text = last?.role === "assistant" ? textsOf(last.content).at(-1) : undefined;
	if (text === undefined || text === text.trimEnd()) return undefined;
	return "messages: final assistant content cannot end with trailing whitespace";
});
