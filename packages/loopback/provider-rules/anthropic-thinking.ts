import { behaviorOf } from "../models/behavior.ts";
import { openSeal, type Seal } from "../thinking/seal.ts";
import { originOf } from "../wire/ids.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../wire/json.ts";
import { badRequest, firstOf, type Refusal } from "../wire/refusal.ts";
import { blocksOf } from "./anthropic-turns.ts";

const MINIMUM_BUDGET = 1024;

function isThinking(block: Fields | undefined): boolean {
	return block?.type === "thinking" || block?.type === "redacted_thinking";
}

/** Thinking guide and well-known error: models from 4.7 on refuse a thinking budget. */
export function checkThinkingMode({ model, thinking }: Fields): Refusal | undefined {
	if (fieldsOf(thinking).type !== "enabled" || behaviorOf(stringOf(model)).acceptsThinkingBudget)
		return undefined;
	return badRequest(
		'"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
	);
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

/** The seal of a thinking or redacted thinking block; undefined when it is not genuine. */
function sealOf({ type, signature, data }: Fields): Seal | undefined {
	return openSeal(stringOf(type === "thinking" ? signature : data));
}

/**
 * Preserved-thinking guide: a signature that was changed or not made by the provider is an error in every mode. The
 * visible text is not covered: a third party edited it and got an answer (tdavison784/context-runtime, 2026-09-26).
 */
export function checkSignatures({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ content }, index) =>
		firstOf(blocksOf(content), (block, at) => {
			if (!isThinking(block) || sealOf(block)) return undefined;
			const field = block.type === "thinking" ? "signature" : "data";
			return badRequest(
				`messages.${index}.content.${at}: Invalid \`${field}\` in \`${stringOf(block.type)}\` block`,
			);
		}),
	);
}

/** Thinking troubleshooting: the latest assistant message keeps all of its thinking or none of it. */
export function checkLatestThinking({ messages }: Fields): Refusal | undefined {
	const list = objectsOf(messages);
	const index = list.findLastIndex(({ role }) => role === "assistant");
	const thinking = blocksOf(list[index]?.content).filter(isThinking);
	const siblings = thinking.map((block) => sealOf(block)?.siblings ?? 0);
	if (siblings.every((count) => count <= thinking.length)) return undefined;
	return badRequest(
		`messages.${index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
	);
}

/** Well-known error: an assistant message does not end on thinking. */
export function checkThinkingLeads({ messages }: Fields): Refusal | undefined {
	return firstOf(objectsOf(messages), ({ role, content }, index) => {
		if (role !== "assistant" || !isThinking(blocksOf(content).at(-1))) return undefined;
		return badRequest(`messages.${index}: The final block in an assistant message cannot be \`thinking\`.`);
	});
}

/** Returns true if a user message continues a tool loop: it holds nothing but results. */
function isOnlyResults({ role, content }: Fields): boolean {
	return role === "user" && blocksOf(content).every((block) => block.type === "tool_result");
}

/** Index of the first message of the tool loop that the request continues; the end of the list if there is none. */
export function openLoopStart(messages: readonly Fields[]): number {
	if (!messages.some((message) => message.role === "assistant")) return messages.length;
	return 1 + messages.findLastIndex((message) => message.role === "user" && !isOnlyResults(message));
}

/**
 * Returns true if an assistant message of the open loop has to begin with thinking. Its call ids say if it did when
 * it was made. For calls made elsewhere only the loop's first is known to, since later ones may come without.
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
