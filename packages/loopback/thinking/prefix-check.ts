import { behaviorOf } from "../models/behavior.ts";
import { type Fields, fieldsOf, stringOf } from "../wire/json.ts";
import { badRequest, type Refusal } from "../wire/refusal.ts";
import type { SealingApi } from "./conversation.ts";
import { findStaleThinking, type StaleReason, type StaleThinking, withoutThinking } from "./stale.ts";

/** The beta under which requests may set `prefix_mismatch_behavior` and responses list `input_transformations`. */
export const BINDING_BETA = "thinking-binding-controls-2026-08-01";

/** How old the account is that the requests come from: newer ones were created from 2026-08-31 on. */
export type AccountAge = "new" | "old";

/** The outcome of the prefix check for one request. */
export interface PrefixCheckResult {
	/** The request as the model sees it, without the thinking that was dropped. */
	readonly body: Fields;
	/** Entries of the response's `input_transformations`; undefined when the response has no such field. */
	readonly transformations: readonly Fields[] | undefined;
	/** The thinking that a checking provider rejects, also when this model does not check. */
	readonly stale: readonly StaleThinking[];
	/** Thinking blocks or reasoning items that were removed. */
	readonly dropped: number;
	/** Stale thinking stays in front of the model. */
	readonly keepsStale: boolean;
	readonly refusal?: Refusal;
}

const EXPLANATIONS: Readonly<Record<StaleReason, string>> = {
	"not-genuine": "The signature could not be verified.",
	"no-record": "The block holds no record of its conversation.",
	"changed-prefix":
		"The system prompt, the tools or a message before the block changed since it was created.",
	"broken-chain": "The thinking blocks before the block are not those that it was created after.",
	"follows-rejected": "The block follows one that is bound to a different conversation.",
};

/** The provider's error for a block of another conversation, as its preserved-thinking guide words it. */
function mismatchRefusal({ path, reason }: StaleThinking): Refusal {
	return badRequest(
		`${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. ${EXPLANATIONS[reason]}`,
	);
}

/** Preserved-thinking guide and thinking troubleshooting: the field needs its beta, a thinking mode and a known value. */
function checkBindingField({ thinking }: Fields, betas: ReadonlySet<string>): Refusal | undefined {
	const { type, block_binding: binding } = fieldsOf(thinking);
	if (binding === undefined) return undefined;
	const field = `thinking.${stringOf(type)}.block_binding`;
	const isAllowed = betas.has(BINDING_BETA) && (type === "adaptive" || type === "enabled");
	if (!isAllowed) return badRequest(`${field}: Extra inputs are not permitted`);
	const behavior = fieldsOf(binding).prefix_mismatch_behavior ?? "error";
	if (behavior === "error" || behavior === "drop_block") return undefined;
	return badRequest(`${field}.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'`);
}

/** The reaction to stale thinking in a request. The field decides; without it, the model and the account. */
function anthropicReaction(body: Fields, account: AccountAge): "ignore" | "error" | "drop" | "allow" {
	const { prefixCheck } = behaviorOf(stringOf(body.model));
	if (prefixCheck.type !== "refuses") return "ignore";
	const binding = fieldsOf(fieldsOf(body.thinking).block_binding);
	if (binding.prefix_mismatch_behavior === "drop_block") return "drop";
	if (binding.prefix_mismatch_behavior === "error") return "error";
	return prefixCheck.accounts === "all" || account === "new" ? "error" : "allow";
}

function checkAnthropicPrefix(
	body: Fields,
	betas: ReadonlySet<string>,
	account: AccountAge,
): PrefixCheckResult {
	const reaction = anthropicReaction(body, account);
	const keepsStale = reaction === "allow" || reaction === "ignore";
	const stale = findStaleThinking("anthropic", body, { keepsStale });
	const transformations = betas.has(BINDING_BETA) ? [] : undefined;
	const unchanged = { body, transformations, stale, dropped: 0, keepsStale };
	const refusal = checkBindingField(body, betas);
	if (refusal) return { ...unchanged, refusal };
	const [first] = stale;
	if (!first || reaction === "ignore") return unchanged;
	if (reaction === "error") return { ...unchanged, refusal: mismatchRefusal(first) };
	const type = reaction === "drop" ? "thinking_dropped" : "thinking_mismatch_allowed";
	const entries = stale.map(({ path }) => ({ type, path, reason: "prefix_binding_mismatch" }));
	const result = { ...unchanged, transformations: transformations && entries };
	if (reaction === "allow") return result;
	return { ...result, body: withoutThinking("anthropic", body, stale), dropped: stale.length };
}

function checkResponsesPrefix(body: Fields): PrefixCheckResult {
	const removes = behaviorOf(stringOf(body.model)).prefixCheck.type === "removes";
	const stale = findStaleThinking("responses", body, { keepsStale: !removes });
	if (!removes) return { body, transformations: undefined, stale, dropped: 0, keepsStale: true };
	const transformations = stale.map(({ itemId }) => ({
		type: "reasoning",
		id: itemId,
		action: "removed",
		reason: "prefix_mismatch",
	}));
	return {
		body: withoutThinking("responses", body, stale),
		transformations,
		stale,
		dropped: stale.length,
		keepsStale: false,
	};
}

/** Applies the prefix check that the request's model runs, and says what the response has to report. */
export function checkPrefix(
	api: SealingApi,
	body: Fields,
	betas: ReadonlySet<string>,
	account: AccountAge,
): PrefixCheckResult {
	return api === "anthropic" ? checkAnthropicPrefix(body, betas, account) : checkResponsesPrefix(body);
}
