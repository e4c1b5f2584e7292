import { type Fields, fieldsOf, stringOf } from "../json.ts";
import { behaviorOf } from "../model-behavior.ts";
import { badRequest, type Refusal } from "../refusal.ts";
import type { SealingApi } from "./formats.ts";
import { findStaleThinking, type StaleReason, type StaleThinking, withoutThinking } from "./stale.ts";

/** The beta under which requests may set `prefix_mismatch_behavior` and responses list `input_transformations`. */
export const BINDING_BETA = "thinking-binding-controls-2026-08-01";

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

function checkAnthropicPrefix(body: Fields, betas: ReadonlySet<string>): PrefixCheckResult {
	const checks = behaviorOf(stringOf(body.model)).prefixCheck === "refuses";
	const stale = findStaleThinking("anthropic", body, { keepsStale: !checks });
	const transformations = betas.has(BINDING_BETA) ? [] : undefined;
	const unchanged = { body, transformations, stale, dropped: 0, keepsStale: !checks };
	const refusal = checkBindingField(body, betas);
	if (refusal) return { ...unchanged, refusal };
	const [first] = stale;
	if (!first || !checks) return unchanged;
	const binding = fieldsOf(fieldsOf(body.thinking).block_binding);
	if (binding.prefix_mismatch_behavior !== "drop_block")
		return { ...unchanged, refusal: mismatchRefusal(first) };
	return {
		body: withoutThinking("anthropic", body, stale),
		transformations: stale.map(({ path }) => ({
			...{ type: "thinking_dropped", path, reason: "prefix_binding_mismatch" },
		})),
		stale,
		dropped: stale.length,
		keepsStale: false,
	};
}

function checkResponsesPrefix(body: Fields): PrefixCheckResult {
	const removes = behaviorOf(stringOf(body.model)).prefixCheck === "removes";
	const stale = findStaleThinking("responses", body, { keepsStale: !removes });
	if (!removes) return { body, transformations: undefined, stale, dropped: 0, keepsStale: true };
	return {
		body: withoutThinking("responses", body, stale),
		transformations: stale.map(({ itemId }) => ({
			...{ type: "reasoning", id: itemId, action: "removed", reason: "prefix_mismatch" },
		})),
		stale,
		dropped: stale.length,
		keepsStale: false,
	};
}

/** Applies the prefix check that the request's model runs, and says what the response has to report. */
export function checkPrefix(api: SealingApi, body: Fields, betas: ReadonlySet<string>): PrefixCheckResult {
	return api === "anthropic" ? checkAnthropicPrefix(body, betas) : checkResponsesPrefix(body);
}
