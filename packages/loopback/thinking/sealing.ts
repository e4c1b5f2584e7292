import { createHash } from "node:crypto";
import { type Fields, fieldsOf } from "../wire/json.ts";
import { countTokens } from "../wire/tokens.ts";
import type { Part, SealingApi, ThinkingPart } from "./conversation.ts";
import { signSeal } from "./seal.ts";
import { FORMATS, prefixDigest, startWalk, type WalkOptions, type WalkState, walk } from "./stale.ts";

const DROPS_STALE: WalkOptions = { keepsStale: false };

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
		if (part.type === "content") walk(state, [part], DROPS_STALE);
		else signatures.set(part.path, signAt(state, part, siblings.get(part.message) ?? 1));
	}
	return signatures;
}

/**
 * Seals the thinking of a request as it was produced when nothing was edited on the way: each block is bound to
 * everything that stands before it. For recorded sessions, whose own signatures no loopback server can check.
 */
export function sealHistory(api: SealingApi, body: unknown): Fields {
	const fields = fieldsOf(body);
	const signatures = signAll(startWalk(), FORMATS[api].parts(fields));
	return FORMATS[api].mapThinking(fields, ({ path }) => signatures.get(path));
}

/**
 * Seals the thinking of one answer to a request.
 *
 * @param body the request that the answer was produced for, as it went over the wire
 * @param answer content blocks of the assistant message, or output items; their signatures are replaced
 * @param options `keepsStale` when the provider left stale thinking in front of the model
 */
export function sealAnswer(
	api: SealingApi,
	body: unknown,
	answer: readonly Fields[],
	options: WalkOptions = DROPS_STALE,
): readonly Fields[] {
	const format = FORMATS[api];
	const request = fieldsOf(body);
	const whole = format.append(request, answer);
	const parts = format.parts(whole);
	const start = parts.length - countParts(api, request, answer);
	const state = startWalk();
	walk(state, parts.slice(0, start), options);
	const signatures = signAll(state, parts.slice(start));
	const sealed = format.mapThinking(whole, ({ path, signature }) => signatures.get(path) ?? signature);
	return format.answer(sealed, format.length(request));
}

/** Number of parts that an answer adds to a request. */
function countParts(api: SealingApi, { tools }: Fields, answer: readonly Fields[]): number {
	const { parts, append } = FORMATS[api];
	const empty = { tools, messages: [], input: [] };
	return parts(append(empty, answer)).length - parts(empty).length;
}
