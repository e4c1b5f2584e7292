import { createHash, type Hash } from "node:crypto";
import { type Fields, fieldsOf } from "../wire/json.ts";
import { anthropicFormat } from "./anthropic-format.ts";
import type { Part, SealedFormat, SealingApi, ThinkingPart } from "./conversation.ts";
import { responsesFormat } from "./responses-format.ts";
import { openSeal, type Seal } from "./seal.ts";

export const FORMATS: Readonly<Record<SealingApi, SealedFormat>> = {
	anthropic: anthropicFormat,
	responses: responsesFormat,
};

/** Why a checking provider rejects a thinking block. */
export type StaleReason =
	/** The signature was not made by a provider, or was changed. */
	| "not-genuine"
	/** The signature holds no record of its conversation. */
	| "no-record"
	/** The system prompt, a tool or something said before the block changed. */
	| "changed-prefix"
	/** The thinking before the block is not the run that it was produced after: a gap, or a block that came back. */
	| "broken-chain"
	/** The block directly follows a rejected one of the same message. */
	| "follows-rejected";

export interface StaleThinking {
	/** Such as `messages.3.content.0` or `input[7]`. */
	readonly path: string;
	/** OpenAI only: the id of the reasoning item. */
	readonly itemId?: string;
	readonly reason: StaleReason;
}

/** The state of a walk over a request: what a block at the current place would have to remember. */
export interface WalkState {
	readonly prefix: Hash;
	/** Id of the last accepted thinking block; empty before the first. */
	previous: string;
	/** Accepted thinking blocks so far. */
	depth: number;
}

export function startWalk(): WalkState {
	return { prefix: createHash("sha256"), previous: "", depth: 0 };
}

/** The digest of everything up to here. */
export function prefixDigest({ prefix }: WalkState): string {
	return prefix.copy().digest("base64url").slice(0, 24);
}

function findReason(state: WalkState, seal: Seal | undefined): StaleReason | undefined {
	if (!seal) return "not-genuine";
	const { binding } = seal;
	if (!binding) return "no-record";
	if (binding.prefix !== prefixDigest(state)) return "changed-prefix";
	const isStartOfRun = state.depth === 0;
	const continuesRun = binding.previous === state.previous && state.depth <= binding.depth;
	return isStartOfRun || continuesRun ? undefined : "broken-chain";
}

function accept(state: WalkState, seal: Seal | undefined): void {
	state.previous = seal?.id ?? "";
	state.depth += 1;
}

export interface WalkOptions {
	/** Stale blocks stay in front of the model and in the chain, as on accounts that the check does not bind. */
	readonly keepsStale: boolean;
}

/** Advances the state over parts and returns the thinking that a checking provider rejects, in order. */
export function walk(
	state: WalkState,
	parts: readonly Part[],
	options: WalkOptions,
): readonly StaleThinking[] {
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
		const follows = rejected?.message === part.message && !options.keepsStale;
		const reason = findReason(state, seal) ?? (follows ? "follows-rejected" : undefined);
		if (reason) {
			const { path, itemId } = part;
			stale.push({ path, reason, ...(itemId === undefined ? {} : { itemId }) });
		}
		rejected = reason ? part : undefined;
		if (!reason || options.keepsStale) accept(state, seal);
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
	options: WalkOptions = { keepsStale: false },
): readonly StaleThinking[] {
	return walk(startWalk(), FORMATS[api].parts(fieldsOf(body)), options);
}

/** The request without the thinking at some places. */
export function withoutThinking(api: SealingApi, body: Fields, stale: readonly StaleThinking[]): Fields {
	if (stale.length === 0) return body;
	const paths = new Set(stale.map(({ path }) => path));
	return FORMATS[api].mapThinking(body, (part) => (paths.has(part.path) ? undefined : part.signature));
}
