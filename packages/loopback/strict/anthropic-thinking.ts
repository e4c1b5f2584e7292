import { originOf } from "../ids.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../json.ts";
import { badRequest, firstOf, type Refusal } from "../refusal.ts";
import { isSealOf } from "../seal.ts";
import { blocksOf } from "./anthropic-turns.ts";

const MINIMUM_BUDGET = 1024;

function isThinking(block: Fields | undefined): boolean {
	return block?.type === "thinking" || block?.type === "redacted_thinking";
}

/** Extended thinking guide: the budget is at least 1,024 tokens and leaves room for the answer. */
export function checkThinkingBudget(body: Fields): Refusal | undefined {
	const { type, budget_tokens: budget } = fieldsOf(body.thinking);
	if (type !== "enabled" || typeof budget !== "number") return undefined;
	if (budget < MINIMUM_BUDGET) {
		return badRequest("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
	}
	if (typeof body.max_tokens === "number" && body.max_tokens > budget) return undefined;
	return badRequest("`max_tokens` must be greater than `thinking.budget_tokens`.");
}

/** Extended thinking guide, "preserving thinking blocks": a block comes back unmodified, with its signature. */
export function checkSignatures({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ content }, index) =>
		firstOf(blocksOf(content), (block, at) => {
			if (block.type !== "thinking") return undefined;
			if (isSealOf(stringOf(block.signature), stringOf(block.thinking))) return undefined;
			return badRequest(`messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`);
		}),
	);
}

/** Well-known error: an assistant message does not end on thinking. */
export function checkThinkingLeads({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ role, content }, index) => {
		if (role !== "assistant" || !isThinking(blocksOf(content).at(-1))) return undefined;
		return badRequest(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`);
	});
}

/** Whether a user message continues a tool loop: it holds nothing but results. */
function isOnlyResults({ role, content }: Fields): boolean {
	return role === "user" && blocksOf(content).every((block) => block.type === "tool_result");
}

/** Index of the first message of the tool loop that the request continues; the end of the list if there is none. */
function openLoopStart(messages: readonly Fields[]): number {
	if (!messages.some((message) => message.role === "assistant")) return messages.length;
	return 1 + messages.findLastIndex((message) => message.role === "user" && !isOnlyResults(message));
}

/**
 * Whether an assistant message of the open loop has to begin with thinking. Its call ids say whether it did when it
 * was made; of calls made elsewhere only the loop's first is known to have, since later ones may follow without.
 */
function mustThink(blocks: readonly Fields[], isFirst: boolean): boolean {
	const call = blocks.find((block) => block.type === "tool_use");
	return originOf(stringOf(call?.id))?.reasoned ?? (isFirst && call !== undefined);
}

/**
 * Extended thinking guide, "tool use", and well-known error: with thinking on, the assistant turn of a tool loop that
 * is still open starts with the thinking that led to its calls. Adaptive thinking lifts this for calls without any.
 */
export function checkLoopThinking(body: Fields): Refusal | undefined {
	return checkLoop(body, mustThink);
}

/** The same for a session that went on from another provider's model, of whose calls nothing is known. */
export function checkOwnLoopThinking(body: Fields): Refusal | undefined {
	return checkLoop(body, (blocks) => mustThink(blocks, false));
}

function checkLoop({ messages, thinking }: Fields, must: typeof mustThink): Refusal | undefined {
	if (fieldsOf(thinking).type !== "enabled") return undefined;
	const list = objectsOf(messages);
	const start = openLoopStart(list);
	return firstOf(list.slice(start), ({ role, content }, offset) => {
		const blocks = blocksOf(content);
		if (role !== "assistant" || isThinking(blocks[0]) || !must(blocks, offset === 0)) return undefined;
		return badRequest(
			`messages.${start + offset}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${stringOf(blocks[0]?.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
		);
	});
}
