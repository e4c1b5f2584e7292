import { blocksOf, isThinking, openLoopStart } from "../anthropic-blocks.ts";
import { type Fields, fieldsOf, objectsOf, stringOf } from "../json.ts";
import { behaviorOf } from "../model-behavior.ts";
import { firstOf, type Rule, rule, ruleForEach } from "../refusal.ts";
import { openSeal, originOf } from "../seal.ts";

const MINIMUM_BUDGET = 1024;

/** Thinking guide and well-known error: models from 4.7 on refuse a thinking budget. */
const checkThinkingMode = rule(({ model, thinking }) =>
	fieldsOf(thinking).type !== "enabled" || behaviorOf(stringOf(model)).acceptsThinkingBudget
		? undefined
		: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
);

/** Extended thinking guide: the budget is at least 1,024 tokens and leaves room for the answer. */
const checkThinkingBudget = rule(({ thinking, max_tokens: maxTokens }) => {
	const { type, budget_tokens: budget } = fieldsOf(thinking);
	if (type !== "enabled" || typeof budget !== "number") return undefined;
	if (budget < MINIMUM_BUDGET)
		return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
	if (typeof maxTokens === "number" && maxTokens > budget) return undefined;
	return "`max_tokens` must be greater than `thinking.budget_tokens`.";
});

/** The seal of a thinking or redacted thinking block; undefined when it is not genuine. */
function sealOf({ type, signature, data }: Fields) {
	return openSeal(stringOf(type === "thinking" ? signature : data));
}

/**
 * Preserved-thinking guide: a signature that was changed or not made by the provider is an error in every mode. The
 * visible text is not covered: a third party edited it and got an answer (tdavison784/context-runtime, 2026-09-26).
 */
const checkSignatures = ruleForEach("messages", ({ content }, index) =>
	firstOf(blocksOf(content), (block, at) => {
		if (!isThinking(block) || sealOf(block)) return undefined;
		const field = block.type === "thinking" ? "signature" : "data";
		return `messages.${index}.content.${at}: Invalid \`${field}\` in \`${stringOf(block.type)}\` block`;
	}),
);

/** Thinking troubleshooting: the latest assistant message keeps all of its thinking or none of it. */
const checkLatestThinking = rule(({ messages }) => {
	const list = objectsOf(messages);
	const index = list.findLastIndex(({ role }) => role === "assistant");
	const thinking = blocksOf(list[index]?.content).filter(isThinking);
	if (thinking.every((block) => (sealOf(block)?.siblings ?? 0) <= thinking.length)) return undefined;
	return `messages.${index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
});

/** Well-known error: an assistant message does not end on thinking. */
const checkThinkingLeads = ruleForEach("messages", ({ role, content }, index) => {
	const last = blocksOf(content).at(-1);
	if (role !== "assistant" || !last || !isThinking(last)) return undefined;
	return `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
});

/** `trustsForeign`: the first call of the loop led out of thinking, too, if its id was made elsewhere. */
const loopRule = (trustsForeign: boolean): Rule =>
	rule(({ messages, thinking }) => {
		if (fieldsOf(thinking).type !== "enabled") return undefined;
		const list = objectsOf(messages);
		const start = openLoopStart(list);
		return firstOf(list.slice(start), ({ role, content }, offset) => {
			const [first, ...rest] = blocksOf(content);
			if (role !== "assistant" || !first || isThinking(first)) return undefined;
			const call = [first, ...rest].find((block) => block.type === "tool_use");
			const isFirstCall = trustsForeign && offset === 0 && call !== undefined;
			if (!(originOf(stringOf(call?.id))?.reasoned ?? isFirstCall)) return undefined;
			return `messages.${start + offset}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${stringOf(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`;
		});
	});

/**
 * Extended thinking guide, "tool use", and well-known error: with thinking on, the assistant turn of a tool loop that
 * is still open starts with the thinking that led to its calls. Adaptive thinking lifts this for calls without any. Call ids
 * of this server say if thinking led to them; of calls made elsewhere only the loop's first is known to need it.
 */
export const checkLoopThinking = loopRule(true);

/** The same for a session that another provider's model began, of whose calls nothing is known. */
export const checkOwnLoopThinking = loopRule(false);

export const thinkingModeRules: readonly Rule[] = [checkThinkingMode, checkThinkingBudget];

export const thinkingRules: readonly Rule[] = [
	checkSignatures,
	checkLatestThinking,
	checkThinkingLeads,
	checkLoopThinking,
];
