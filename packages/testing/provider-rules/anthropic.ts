import { blocksOf, type Fields, fieldsOf, isThinking, objectsOf, openLoopStart, stringOf } from "../json.ts";
import { behaviorOf } from "../model-behavior.ts";
import { type Finding, type Rule, rule, ruleForEach } from "../refusal.ts";
import { originOf, sealOf, signatureField } from "../seal.ts";

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

/** Results of tools that Anthropic runs itself are part of the answer, such as `web_search_tool_result`. */
const isServerResult = ({ type }: Fields): boolean => stringOf(type).endsWith("_tool_result");

const ownerOf = (block: Fields): string | undefined =>
	isServerResult(block) ? "assistant" : BLOCK_ROLES.get(stringOf(block.type));

/** All text blocks of a content, those inside tool results too. */
function textsOf(content: unknown): readonly string[] {
	return blocksOf(content).flatMap((block) => {
		if (block.type === "text") return [stringOf(block.text)];
		return typeof block.content === "string" ? [] : textsOf(block.content);
	});
}

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

const messagesIn = ({ messages }: Fields): readonly Fields[] => objectsOf(messages);

/** The blocks of all messages. `place` is such as `messages.3.content.0`. */
const blocksIn = (body: Fields) =>
	messagesIn(body).flatMap(({ role, content }, index) =>
		blocksOf(content).map((block, at) => ({ role, block, place: `messages.${index}.content.${at}` })),
	);

/** Consecutive messages of one role, which the Messages API reads as a single turn (API reference, "messages"). */
function turnsIn(body: Fields) {
	/** `place` is that of its first message, such as `messages.3`. */
	const turns: { readonly role: unknown; readonly blocks: Fields[]; readonly place: string }[] = [];
	for (const [index, { role, content }] of messagesIn(body).entries()) {
		const last = turns.at(-1);
		if (last && last.role === role) last.blocks.push(...blocksOf(content));
		else turns.push({ role, blocks: [...blocksOf(content)], place: `messages.${index}` });
	}
	return turns;
}

type Turn = ReturnType<typeof turnsIn>[number];

/** Ids of the tool uses, if the turn is the assistant's. */
function usesOf(turn: Turn | undefined): readonly string[] {
	if (turn?.role !== "assistant") return [];
	return turn.blocks.flatMap(({ type, id }) => (type === "tool_use" ? [stringOf(id)] : []));
}

/** The tool results, each with the tool uses of the turn before it. */
const resultsIn = (body: Fields) =>
	turnsIn(body).flatMap((turn, position, turns) =>
		turn.blocks.flatMap((result, index) => {
			if (result.type !== "tool_result") return [];
			const place = `${turn.place}.content.${index}`;
			return [
				{ result, id: stringOf(result.tool_use_id), place, turn, index, uses: usesOf(turns[position - 1]) },
			];
		}),
	);

/** Calls of tools that Anthropic runs itself, and their results, in order. */
const serverBlocksIn = (body: Fields) =>
	blocksIn(body).filter(({ block }) => block.type === "server_tool_use" || isServerResult(block));

/** Tools that a block loads, in whatever depth it names them. */
function loadedBy(block: Fields): readonly string[] {
	if (block.type === "tool_reference") return [stringOf(block.tool_name)];
	const { content } = block;
	const { tool_references: found } = fieldsOf(content);
	return [...objectsOf(content), ...objectsOf(found)].flatMap(loadedBy);
}

/** The names of the tools that a request loads only when they are referred to, or those of all of its tools. */
function toolNames({ tools }: Fields, isDeferred: boolean): ReadonlySet<string> {
	const some = objectsOf(tools).filter((tool) => !isDeferred || tool.defer_loading === true);
	return new Set(some.map(({ name }) => stringOf(name)));
}

const MINIMUM_BUDGET = 1024;

/** The messages of the open tool loop, if thinking is on. */
function thoughtLoopIn(body: Fields) {
	if (fieldsOf(body.thinking).type !== "enabled") return [];
	const messages = messagesIn(body);
	return [...messages.entries()].slice(openLoopStart(messages));
}

/** The rest of Anthropic's message about a tool loop, in its own words. */
const LOOP_ADVICE =
	"When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of " +
	"`tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.";

/** `trustsForeign`: the first call of the loop led out of thinking, too, if its id was made elsewhere. */
const loopRule = (trustsForeign: boolean): Rule =>
	ruleForEach(thoughtLoopIn, ([index, { role, content }], offset) => {
		const [first, ...rest] = blocksOf(content);
		if (role !== "assistant" || !first || isThinking(first)) return undefined;
		const call = [first, ...rest].find((block) => block.type === "tool_use");
		const isFirstCall = trustsForeign && offset === 0 && call !== undefined;
		if (!(originOf(stringOf(call?.id))?.reasoned ?? isFirstCall)) return undefined;
		const found = `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${stringOf(first.type)}\`.`;
		return `${found} ${LOOP_ADVICE}`;
	});

/**
 * Extended thinking guide, "tool use", and well-known error: with thinking on, the assistant turn of a tool loop that
 * is still open starts with the thinking that led to its calls. Adaptive thinking lifts this for calls without any. Call ids
 * of this server say if thinking led to them; of calls made elsewhere only the loop's first is known to need it.
 */
export const checkLoopThinking = loopRule(true);

/** The same for a session that another provider's model began, of whose calls nothing is known. */
export const checkOwnLoopThinking = loopRule(false);

/** The client mistakes that the Messages API refuses. */
export const anthropicRules: readonly Rule[] = [
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
	/** Thinking guide and well-known error: models from 4.7 on refuse a thinking budget. */
	rule(({ model, thinking }) =>
		fieldsOf(thinking).type !== "enabled" || behaviorOf(stringOf(model)).acceptsThinkingBudget
			? undefined
			: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
	),
	/** Extended thinking guide: the budget is at least 1,024 tokens and leaves room for the answer. */
	rule(({ thinking, max_tokens: maxTokens }) => {
		const { type, budget_tokens: budget } = fieldsOf(thinking);
		if (type !== "enabled" || typeof budget !== "number") return undefined;
		if (budget < MINIMUM_BUDGET)
			return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
		if (typeof maxTokens === "number" && maxTokens > budget) return undefined;
		return "`max_tokens` must be greater than `thinking.budget_tokens`.";
	}),
	/** API reference, "tool_use": ids match a pattern, which the error message spells out. */
	ruleForEach(turnsIn, (turn) =>
		usesOf(turn).every((id) => /^[a-zA-Z0-9_-]+$/.test(id))
			? undefined
			: `${turn.place}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
	),
	/** Well-known error: no tool use id appears twice in a request. */
	rule((body) => {
		const ids = turnsIn(body).flatMap(usesOf);
		return new Set(ids).size === ids.length ? undefined : "messages: `tool_use` ids must be unique";
	}),
	/** Tool use guide and well-known error: a result answers a tool use of the turn right before it. */
	ruleForEach(resultsIn, ({ id, place, uses }) =>
		uses.includes(id)
			? undefined
			: `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
	),
	/** Well-known error: a tool use has one result, not more. */
	ruleForEach(resultsIn, ({ id, place, turn, index, result }) =>
		turn.blocks.some(
			(other, at) => at < index && other.type === "tool_result" && other.tool_use_id === result.tool_use_id,
		)
			? `${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
			: undefined,
	),
	/** Tool use guide and well-known error: the next user turn answers every tool use, before it says anything else. */
	ruleForEach(turnsIn, (turn, position, turns) => {
		const next = turns[position + 1]?.blocks ?? [];
		const end = next.findIndex((block) => block.type !== "tool_result");
		const answered = (end < 0 ? next : next.slice(0, end)).map((block) => stringOf(block.tool_use_id));
		const missing = usesOf(turn).filter((id) => !answered.includes(id));
		if (missing.length === 0) return undefined;
		return `${turn.place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
	}),
	/** Web search guide and well-known error: a call of a server tool has its result, unless the answer was paused at its end. */
	ruleForEach(serverBlocksIn, ({ block: { type, id, name }, place }, at, list) => {
		if (type !== "server_tool_use") return undefined;
		const hasResult = list.slice(at).some(({ block }) => block.tool_use_id === id);
		const isLast = at === list.length - 1;
		if (hasResult || isLast) return undefined;
		return `${place}: \`${stringOf(name)}\` tool use with id \`${stringOf(id)}\` was found without a corresponding \`${stringOf(name)}_tool_result\` block`;
	}),
	/** Well-known error: the result of a server tool stands behind its call. */
	ruleForEach(serverBlocksIn, ({ block: { type, tool_use_id: id }, place }, at, list) => {
		if (type === "server_tool_use" || list.slice(0, at).some(({ block }) => block.id === id))
			return undefined;
		return `${place}: unexpected \`tool_use_id\` found in \`${stringOf(type)}\` blocks: ${stringOf(id)}. Each \`${stringOf(type)}\` block must have a corresponding \`server_tool_use\` block before it.`;
	}),
	/** Tool search guide: a reference names a tool of the request. */
	rule((body) => {
		const known = toolNames(body, false);
		const missing = blocksIn(body)
			.flatMap(({ block }) => loadedBy(block))
			.find((name) => !known.has(name));
		return missing === undefined ? undefined : `Tool reference '${missing}' not found in available tools`;
	}),
	/** No source says that the API refuses it: a call of a deferred tool that nothing loads is taken for a mistake here. */
	rule((body) => {
		const hidden = new Set(toolNames(body, true));
		for (const { block, place } of blocksIn(body)) {
			for (const name of loadedBy(block)) hidden.delete(name);
			if (block.type === "tool_use" && hidden.has(stringOf(block.name)))
				return `${place}: the deferred tool \`${stringOf(block.name)}\` is not loaded`;
		}
		return undefined;
	}),
	/** Well-known error: a result that reports an error says something. */
	ruleForEach(resultsIn, ({ result: { is_error: isError, content = "" }, place }) => {
		const isEmpty = content === "" || (Array.isArray(content) && content.length === 0);
		if (isError !== true || !isEmpty) return undefined;
		return `${place}.tool_result: content cannot be empty if \`is_error\` is true`;
	}),
	/**
	 * Preserved-thinking guide: a signature that was changed or not made by the provider is an error in every mode. The
	 * visible text is not covered: a third party edited it and got an answer (tdavison784/context-runtime, 2026-09-26).
	 */
	ruleForEach(blocksIn, ({ block, place }) => {
		if (!isThinking(block) || sealOf(block)) return undefined;
		return `${place}: Invalid \`${signatureField(block)}\` in \`${stringOf(block.type)}\` block`;
	}),
	/** Thinking troubleshooting: the latest assistant message keeps all of its thinking or none of it. */
	rule(({ messages }) => {
		const list = objectsOf(messages);
		const index = list.findLastIndex(({ role }) => role === "assistant");
		const thinking = blocksOf(list[index]?.content).filter(isThinking);
		if (thinking.every((block) => (sealOf(block)?.siblings ?? 0) <= thinking.length)) return undefined;
		return `messages.${index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
	}),
	/** Well-known error: an assistant message does not end on thinking. */
	ruleForEach(messagesIn, ({ role, content }, index) => {
		const last = blocksOf(content).at(-1);
		if (role !== "assistant" || !last || !isThinking(last)) return undefined;
		return `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
	}),
	checkLoopThinking,
	/** Well-known error: a prefilled assistant message does not end in whitespace. */
	rule(({ messages }) => {
		const last = objectsOf(messages).at(-1);
		const text = last?.role === "assistant" ? textsOf(last.content).at(-1) : undefined;
		if (text === undefined || text === text.trimEnd()) return undefined;
		return "messages: final assistant content cannot end with trailing whitespace";
	}),
];
