/** The prefix check and the seals that it reads: both walk over a request and keep what a block at that place has to remember. */
import { createHash, type Hash } from "node:crypto";
import { type Fields, fieldsOf, stringOf } from "../json.ts";
import { behaviorOf } from "../model-behavior.ts";
import { badRequest, type Refusal } from "../refusal.ts";
import { openSeal, type Seal, signSeal } from "../seal.ts";
import { countTokens } from "../tokens.ts";
import { FORMATS, mapThinking, type Part, partsOf, type SealingApi, type ThinkingPart } from "./formats.ts";

export interface StaleThinking {
	/** Such as `messages.3.content.0` or `input[7]`. */
	readonly path: string;
	/** OpenAI only: the id of the reasoning item. */
	readonly itemId?: string;
	/** The reason in a sentence. */
	readonly reason: string;
}

/** The state of a walk over a request: what a block at the current place would have to remember. */
interface WalkState {
	readonly prefix: Hash;
	/** Id of the last accepted thinking block; empty before the first. */
	previous: string;
	/** Accepted thinking blocks so far. */
	depth: number;
}

function startWalk(): WalkState {
	return { prefix: createHash("sha256"), previous: "", depth: 0 };
}

/** The digest of everything up to here. */
function prefixDigest({ prefix }: WalkState): string {
	return prefix.copy().digest("base64url").slice(0, 24);
}

/** Why a checking provider rejects thinking with this seal at the current place; undefined if it does not. */
function findReason(state: WalkState, seal: Seal | undefined): string | undefined {
	if (!seal) return "The signature could not be verified.";
	const { binding } = seal;
	if (!binding) return "The block holds no record of its conversation.";
	if (binding.prefix !== prefixDigest(state))
		return "The system prompt, the tools or a message before the block changed since it was created.";
	// A gap, or a block that came back.
	const continuesRun = binding.previous === state.previous && state.depth <= binding.depth;
	if (state.depth === 0 || continuesRun) return undefined;
	return "The thinking blocks before the block are not those that it was created after.";
}

function accept(state: WalkState, seal: Seal | undefined): void {
	state.previous = seal?.id ?? "";
	state.depth += 1;
}

/**
 * Advances the state over parts and returns the thinking that a checking provider rejects, in order. With `keepsStale` it stays
 * in front of the model and in the chain, as on accounts that the check does not bind.
 */
function walk(state: WalkState, parts: readonly Part[], keepsStale = false): readonly StaleThinking[] {
	const stale: StaleThinking[] = [];
	let rejected: ThinkingPart | undefined;
	for (const part of parts) {
		if (part.type === "content") {
			// The length keeps two parts apart from one that holds both.
			state.prefix.update(`${part.content.length}:${part.content}`);
			rejected = undefined;
			continue;
		}
		const seal = openSeal(part.signature);
		const follows = rejected?.message === part.message && !keepsStale;
		const reason =
			findReason(state, seal) ??
			(follows ? "The block follows one that is bound to a different conversation." : undefined);
		if (reason) {
			const { path, itemId } = part;
			stale.push({ path, reason, ...(itemId === undefined ? {} : { itemId }) });
		}
		rejected = reason ? part : undefined;
		if (!reason || keepsStale) accept(state, seal);
	}
	return stale;
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
	return walk(startWalk(), partsOf(api, fieldsOf(body)), keepsStale);
}

/** The request without the thinking at some places. */
function withoutThinking(api: SealingApi, body: Fields, stale: readonly StaleThinking[]): Fields {
	if (stale.length === 0) return body;
	const paths = new Set(stale.map(({ path }) => path));
	return mapThinking(api, body, (part) => (paths.has(part.path) ? undefined : part.signature));
}

/** Signs a block as it would have been signed at the current place of a walk, and makes it part of the chain. */
function signAt(state: WalkState, part: ThinkingPart, siblings: number): string {
	const { previous, depth } = state;
	const prefix = prefixDigest(state);
	const name = createHash("sha256").update(`${prefix} ${previous} ${part.text}`).digest("hex").slice(0, 16);
	const id = part.itemId ?? name;
	state.previous = id;
	state.depth += 1;
	return signSeal({ id, tokens: countTokens(part.text), siblings, binding: { prefix, previous, depth } });
}

/** Signs the thinking of all parts, each as if it was produced with what stands before it. Returns signature by path. */
function signAll(state: WalkState, parts: readonly Part[]): ReadonlyMap<string, string> {
	const siblings = new Map<number, number>();
	for (const part of parts) {
		if (part.type === "thinking") siblings.set(part.message, (siblings.get(part.message) ?? 0) + 1);
	}
	const signatures = new Map<string, string>();
	for (const part of parts) {
		if (part.type === "content") walk(state, [part]);
		else signatures.set(part.path, signAt(state, part, siblings.get(part.message) ?? 1));
	}
	return signatures;
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
	answer: readonly Fields[],
	keepsStale = false,
): readonly Fields[] {
	const { append, messages } = FORMATS[api];
	const request = fieldsOf(body);
	const whole = append(request, answer);
	const { length } = messages(request);
	const state = startWalk();
	const isAnswer = ({ message }: Part) => message >= length;
	const parts = partsOf(api, whole);
	walk(
		state,
		parts.filter((part) => !isAnswer(part)),
		keepsStale,
	);
	const signatures = signAll(state, parts.filter(isAnswer));
	const sealed = mapThinking(api, whole, ({ path, signature }) => signatures.get(path) ?? signature);
	return messages(sealed).slice(length).flat();
}

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
	/** Stale thinking stays in front of the model; otherwise it is removed, unless the request is refused. */
	readonly keepsStale: boolean;
	readonly refusal?: Refusal;
}

/** The provider's error for a block of another conversation, as its preserved-thinking guide words it. */
function mismatchRefusal({ path, reason }: StaleThinking): Refusal {
	return badRequest(
		`${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. ${reason}`,
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
	const stale = findStaleThinking("anthropic", body, !checks);
	const transformations = betas.has(BINDING_BETA) ? [] : undefined;
	const unchanged = { body, transformations, stale, keepsStale: !checks };
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
		keepsStale: false,
	};
}

function checkResponsesPrefix(body: Fields): PrefixCheckResult {
	const removes = behaviorOf(stringOf(body.model)).prefixCheck === "removes";
	const stale = findStaleThinking("responses", body, !removes);
	if (!removes) return { body, transformations: undefined, stale, keepsStale: true };
	return {
		body: withoutThinking("responses", body, stale),
		transformations: stale.map(({ itemId }) => ({
			...{ type: "reasoning", id: itemId, action: "removed", reason: "prefix_mismatch" },
		})),
		stale,
		keepsStale: false,
	};
}

/** Applies the prefix check that the request's model runs, and says what the response has to report. */
export function checkPrefix(api: SealingApi, body: Fields, betas: ReadonlySet<string>): PrefixCheckResult {
	return api === "anthropic" ? checkAnthropicPrefix(body, betas) : checkResponsesPrefix(body);
}
