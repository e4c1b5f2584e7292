/** The prefix check and the seals that it reads: one walk over a request knows what a block at each place has to remember. */

import { createHash } from "node:crypto";
import { fieldsOf, recordsOf, textOf, type UnknownRecord } from "#basics";
import { behaviorOf, type ModelBehavior } from "../model-behavior.ts";
import { badRequest, type Refusal } from "../refusal.ts";
import { isThinking } from "../request-body.ts";
import { type Seal, type SealBinding, sealOf, signatureField, signSeal } from "../seal.ts";
import { countTokens } from "../tokens.ts";
import { ENTRIES, entriesOf, type SealingApi, visitRequest } from "./formats.ts";

export interface StaleThinking {
	/** Such as `messages.3.content.0` or `input[7]`. */
	readonly path: string;
	/** OpenAI only: the id of the reasoning item. */
	readonly itemId: string | undefined;
	/** The reason in a sentence. */
	readonly reason: string;
}

/** An answer behind a request: its message or items, and how many thinking blocks came with each. */
interface Answer {
	readonly entries: readonly UnknownRecord[];
	readonly siblings: number;
}

/**
 * Walks over a request: finds the thinking that a checking provider rejects, in order, and signs that of the answer, each
 * block as if it was produced with what stands before it. `kept` is the request and the answer without the rejected thinking.
 *
 * @param keepsStale true if stale thinking stays in the chain, as on accounts that the check does not bind
 */
function walk(api: SealingApi, body: UnknownRecord, keepsStale: boolean, answer?: Answer) {
	const stale: StaleThinking[] = [];
	const prefix = createHash("sha256");
	const before = entriesOf(api, body);
	/** Id of the last accepted thinking block, empty before the first, and how many there were. */
	let previous = "";
	let depth = 0;
	/** The message or item of the thinking right before this place, where that was rejected. */
	let rejectedIn: number | undefined;
	function sign(block: UnknownRecord, binding: SealBinding): UnknownRecord {
		const text = visibleText(block);
		const name = createHash("sha256").update(`${binding.prefix} ${previous} ${text}`).digest("hex");
		const id = itemIdOf(block) ?? name.slice(0, 16);
		previous = id;
		depth = depth + 1;
		const seal = { id, tokens: countTokens(text), siblings: answer?.siblings ?? 1, binding };
		return { ...block, [signatureField(block) ?? ""]: signSeal(seal) };
	}
	const whole = { ...body, [ENTRIES[api]]: [...before, ...(answer?.entries ?? [])] };
	const kept = visitRequest(api, whole, {
		content(text) {
			// The length keeps two parts apart from one that holds both.
			prefix.update(`${text.length}:${text}`);
			rejectedIn = undefined;
		},
		thinking(block, path, entry) {
			const here = { prefix: prefix.copy().digest("base64url").slice(0, 24), previous, depth };
			if (entry >= before.length) return [sign(block, here)];
			const seal = sealOf(block);
			const follows = rejectedIn === entry && !keepsStale;
			const reason =
				findReason(here, seal) ??
				(follows ? "The block follows one that is bound to a different conversation." : undefined);
			rejectedIn = reason ? entry : undefined;
			if (!reason || keepsStale) [previous, depth] = [seal?.id ?? "", depth + 1];
			if (!reason) return [block];
			stale.push({ path, reason, itemId: itemIdOf(block) });
			return [];
		},
	});
	return { stale, kept };
}

/** Undefined for blocks of the Messages API. */
function itemIdOf({ type, id }: UnknownRecord): string | undefined {
	return type === "reasoning" ? textOf(id) : undefined;
}

/** The text of a thinking block or a reasoning item, which no signature covers. */
function visibleText({ thinking, summary }: UnknownRecord): string {
	const said = recordsOf(summary).map(({ text }) => textOf(text));
	return typeof thinking === "string" ? thinking : said.join("\n");
}

/** Why a checking provider rejects thinking with this seal at a place; undefined if it does not. */
function findReason(here: SealBinding, seal: Seal | undefined): string | undefined {
	if (!seal) return "The signature could not be verified.";
	const { binding } = seal;
	if (!binding) return "The block holds no record of its conversation.";
	if (binding.prefix !== here.prefix)
		return "The system prompt, the tools or a message before the block changed since it was created.";
	// A gap, or a block that came back.
	const continuesRun = binding.previous === here.previous && here.depth <= binding.depth;
	if (here.depth === 0 || continuesRun) return undefined;
	return "The thinking blocks before the block are not those that it was created after.";
}

/**
 * The thinking of a request that a checking provider rejects, in order: in error mode the first of them is the
 * request's error, in drop mode all of them are removed. Looks at signatures only, so it needs no server and no HTTP.
 *
 * @param body the request as it goes over the wire; thinking in it was sealed by a loopback server or `sealAnswer`
 */
export function findStaleThinking(
	api: SealingApi,
	body: unknown,
	keepsStale = false,
): readonly StaleThinking[] {
	return walk(api, fieldsOf(body), keepsStale).stale;
}

/**
 * Seals the thinking of one answer to a request.
 *
 * @param body the request that the answer was produced for, as it went over the wire
 * @param answer content blocks of the assistant message, or output items; their signatures are replaced
 * @param keepsStale true when the provider left stale thinking in front of the model
 */
export function sealAnswer(
	api: SealingApi,
	body: unknown,
	answer: readonly UnknownRecord[],
	keepsStale = false,
): readonly UnknownRecord[] {
	const isAnthropic = api === "anthropic";
	const entries = isAnthropic ? [{ role: "assistant", content: answer }] : answer;
	const siblings = isAnthropic ? answer.filter(isThinking).length : 1;
	const { kept } = walk(api, fieldsOf(body), keepsStale, { entries, siblings });
	const sealed = entriesOf(api, kept);
	const own = sealed.slice(sealed.length - entries.length);
	return isAnthropic ? own.flatMap(({ content }) => recordsOf(content)) : own;
}

/** The beta under which requests may set `prefix_mismatch_behavior` and responses list `input_transformations`. */
export const BINDING_BETA = "thinking-binding-controls-2026-08-01";

/** The provider's error for a block of another conversation, as its preserved-thinking guide words it. */
function mismatchRefusal({ path, reason }: StaleThinking): Refusal {
	return badRequest(
		`${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. ${reason}`,
	);
}

/** Preserved-thinking guide and thinking troubleshooting: the field needs its beta, a thinking mode and a known value. */
function checkBindingField({ thinking }: UnknownRecord, betas: ReadonlySet<string>): Refusal | undefined {
	const { type, block_binding: binding } = fieldsOf(thinking);
	if (binding === undefined) return undefined;
	const field = `thinking.${textOf(type)}.block_binding`;
	const isAllowed = betas.has(BINDING_BETA) && (type === "adaptive" || type === "enabled");
	if (!isAllowed) return badRequest(`${field}: Extra inputs are not permitted`);
	const behavior = fieldsOf(binding).prefix_mismatch_behavior ?? "error";
	if (behavior === "error" || behavior === "drop_block") return undefined;
	return badRequest(`${field}.prefix_mismatch_behavior: Input should be 'error' or 'drop_block'`);
}

/** The reaction of a model's API to stale thinking. */
const REACTIONS: Readonly<Record<SealingApi, ModelBehavior["prefixCheck"]>> = {
	anthropic: "refuses",
	responses: "removes",
};

/**
 * Applies the prefix check that the request's model runs. `body` is the request as the model sees it, without the thinking that
 * was dropped; `transformations` are the entries of the response's `input_transformations`, undefined when it has no such field;
 * `stale` is what a checking provider rejects, also when this model does not check; `keepsStale`: it stays in front of the model.
 */
export function checkPrefix(api: SealingApi | undefined, body: UnknownRecord, betas: ReadonlySet<string>) {
	const refusal = api === "anthropic" ? checkBindingField(body, betas) : undefined;
	if (!api) return { body, transformations: undefined, stale: [], keepsStale: true, refusal };
	const isAnthropic = api === "anthropic";
	const checks = behaviorOf(textOf(body.model)).prefixCheck === REACTIONS[api];
	const { stale, kept } = walk(api, body, !checks);
	const isReported = isAnthropic ? betas.has(BINDING_BETA) : checks;
	const transformations = isReported ? [] : undefined;
	const unchanged = { body, transformations, stale, keepsStale: !checks, refusal };
	const [first] = stale;
	if (refusal || !first || !checks) return unchanged;
	const binding = fieldsOf(fieldsOf(body.thinking).block_binding);
	if (isAnthropic && binding.prefix_mismatch_behavior !== "drop_block")
		return { ...unchanged, refusal: mismatchRefusal(first) };
	return {
		...unchanged,
		body: kept,
		transformations: stale.map(({ path, itemId }) =>
			isAnthropic
				? { type: "thinking_dropped", path, reason: "prefix_binding_mismatch" }
				: { type: "reasoning", id: itemId, action: "removed", reason: "prefix_mismatch" },
		),
	};
}
