/** The refusals of the Messages API about thinking. */
import { fieldsOf, textOf, type UnknownRecord } from "#basics";
import { behaviorOf } from "../model-behavior.ts";
import { type Rule, rule, ruleForEach } from "../refusal.ts";
import { blocksIn, blocksOf, isThinking, messagesIn, openLoopStart } from "../request-body.ts";
import { originOf, sealOf, signatureField } from "../seal.ts";

const MINIMUM_BUDGET = 1024;

/** The messages of the open tool loop, if thinking is on. */
function thoughtLoopIn(body: UnknownRecord) {
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
		if (!(originOf(textOf(call?.id))?.reasoned ?? isFirstCall)) return undefined;
		return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first.type)}\`. ${LOOP_ADVICE}`;
	});

/**
 * Extended thinking guide, "tool use", and well-known error: with thinking on, the assistant turn of a tool loop that
 * is still open starts with the thinking that led to its calls. Adaptive thinking lifts this for calls without any. Call ids
 * of this server say if thinking led to them; of calls made elsewhere only the loop's first is known to need it.
 */
export const checkLoopThinking = loopRule(true);

/** The same for a session that another provider's model began, of whose calls nothing is known. */
export const checkOwnLoopThinking = loopRule(false);

/** The thinking that a request asks for. */
export const budgetRules: readonly Rule[] = [
	/** Thinking guide and well-known error: models from 4.7 on refuse a thinking budget. */
	rule(
		({ model, thinking }) =>
			fieldsOf(thinking).type === "enabled" &&
			!behaviorOf(textOf(model)).acceptsThinkingBudget &&
			'"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
	),
	/** Extended thinking guide: the budget is at least 1,024 tokens and leaves room for the answer. */
	rule(({ thinking, max_tokens: maxTokens }) => {
		const { type, budget_tokens: budget } = fieldsOf(thinking);
		if (type !== "enabled" || typeof budget !== "number") return undefined;
		if (budget < MINIMUM_BUDGET)
			return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
		return !(Number(maxTokens) > budget) && "`max_tokens` must be greater than `thinking.budget_tokens`.";
	}),
];

/** The thinking that a request brings. */
export const thinkingRules: readonly Rule[] = [
	/**
	 * Preserved-thinking guide: a signature that was changed or not made by the provider is an error in every mode. The
	 * visible text is not covered: a third party edited it and got an answer (tdavison784/context-runtime, 2026-09-26).
	 */
	ruleForEach(
		blocksIn,
		({ block, place }) =>
			isThinking(block) &&
			!sealOf(block) &&
			`${place}: Invalid \`${signatureField(block)}\` in \`${textOf(block.type)}\` block`,
	),
	/** Thinking troubleshooting: the latest assistant message keeps all of its thinking or none of it. */
	rule((body) => {
		const index = messagesIn(body).findLastIndex(({ role }) => role === "assistant");
		const thinking = blocksOf(messagesIn(body)[index]?.content).filter(isThinking);
		const isCut = thinking.some((block) => (sealOf(block)?.siblings ?? 0) > thinking.length);
		return (
			isCut &&
			`messages.${index}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`
		);
	}),
	/** Well-known error: an assistant message does not end on thinking. */
	ruleForEach(messagesIn, ({ role, content }, index) => {
		const last = blocksOf(content).slice(-1);
		const isThought = role === "assistant" && last.some(isThinking);
		return isThought && `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
	}),
	checkLoopThinking,
];
