/** The tokens that requests with passes wrote to the provider's cache again, by the usage that it reported. */

import { type CountTokens, fieldsOf } from "#basics";
import type { Pass } from "#core/log";
import { isPrefixChange } from "#core/planning";
import { type ModelPrices, pricesAt } from "#core/prices";
import { answerTime, type HostMessage } from "../codec/host-message.ts";
import { readMessage } from "../codec/messages.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { PASS_ENTRY, PREFIX_ENTRY, UNDO_ENTRY } from "../session/log-entries.ts";
import { withoutLast } from "../session/undo.ts";

/** The request of a pass in the provider's tokens: those from its cache, and those that an earlier request had sent and that were written again. */
interface SentParts {
	readonly cached: number;
	readonly rewritten: number;
}

/** The request by pass; null for a pass next to another one of its request, which has the figures. */
export type Rewrites = ReadonlyMap<string, SentParts | null>;

/** The messages of a branch as they were sent, compacted ones too, and our count of a text. */
export interface SentMessages {
	readonly messages: readonly HostMessage[];
	readonly count: CountTokens;
}

/** Of several passes of one request, the one that its rewritten tokens are told of: thinking never leaves for its own sake. */
export function carrierOf<P extends Pick<Pass, "policy">>(passes: readonly P[]): P | undefined {
	return passes.find((pass) => !isPrefixChange(pass)) ?? passes[0];
}

/** Tokens that an earlier request had sent and that did not come from the cache: the uncached ones, less those that were new. */
export function rewrittenTokens(uncached: number, isNew: number): number {
	return Math.max(0, Math.round(uncached - isNew));
}

/**
 * The requests after which a pass has paid for the tokens that were written again. Second looks are not part of it. Undefined for
 * lost thinking, which was no choice, and for a pass that never pays.
 */
export function payback(
	{ policy, before, after }: Pick<Pass, "policy" | "before" | "after">,
	rewritten: number,
	prices: ModelPrices,
): number | undefined {
	const { read, write } = pricesAt(prices, after);
	const saving = (before - after) * read;
	if (isPrefixChange({ policy }) || saving <= 0) return undefined;
	return Math.ceil((rewritten * Math.max(0, write - read)) / saving);
}

interface LoggedPass extends Pick<Pass, "newest" | "before" | "policy"> {
	/** The provider's tokens for one of ours when the pass was made: a figure of the past does not move when more is learned. */
	readonly factor: number;
}

/** Reads a branch from its root. Requests without reported usage are left out. */
export function readRewrites(branch: readonly BranchEntry[], sent: SentMessages): Rewrites {
	const rewrites = new Map<string, SentParts | null>();
	const places = new Map(sent.messages.map((message, place) => [answerTime(message), place]));
	let isFirst = true;
	let waiting: LoggedPass[] = [];
	let summary = 0;
	for (const entry of branch) {
		// A pass that is taken back before its request has none.
		if (entry.customType === UNDO_ENTRY) waiting = [...withoutLast(waiting).rest];
		const pass = passIn(entry);
		if (pass) waiting.push(pass);
		if (entry.type === "compaction") summary = sent.count(String(entry.summary ?? ""));
		const time = answerTime(entry.message);
		if (time === undefined) continue;
		const { input, cached } = usageOf(entry);
		const place = places.get(time);
		if (input > 0 && place !== undefined) {
			const carrier = carrierOf(waiting);
			const isNew = summary + newTokens(sent, place);
			const again = () => rewrittenTokens(input - cached, (carrier?.factor ?? 1) * isNew);
			const parts = () => ({ cached, rewritten: isFirst ? 0 : again() });
			for (const each of waiting) rewrites.set(keyOf(each), each === carrier ? parts() : null);
		}
		waiting = [];
		if (input === 0) continue;
		isFirst = false;
		summary = 0;
	}
	return rewrites;
}

function usageOf({ message }: BranchEntry) {
	const usage = fieldsOf(fieldsOf(message).usage);
	const tokensOf = (kind: string) => Number(usage[kind]) || 0;
	const cached = tokensOf("cacheRead");
	return { cached, input: tokensOf("input") + cached + tokensOf("cacheWrite") };
}

/** The pass of an entry; thinking also leaves with an undo and with another beginning of the request. */
function passIn({ type, customType, data }: BranchEntry): LoggedPass | undefined {
	if (type !== "custom") return undefined;
	const isChange = customType === UNDO_ENTRY || customType === PREFIX_ENTRY;
	const { newest, before, policy, reported } = fieldsOf(isChange ? fieldsOf(data).change : data);
	if (!isChange && customType !== PASS_ENTRY) return undefined;
	if (typeof before !== "number" || typeof policy !== "string") return undefined;
	const known = Number(fieldsOf(reported).before);
	const factor = before > 0 && known > 0 ? known / before : 1;
	return { before, policy, factor, ...(typeof newest === "string" && { newest }) };
}

/** Our tokens that came after the request before the answer at `place`: the answer to that request, and all between the two. */
function newTokens({ messages, count }: SentMessages, place: number): number {
	const last = messages.slice(0, place).findLastIndex((message) => answerTime(message) !== undefined);
	return messages
		.slice(Math.max(0, last), place)
		.flatMap((message) => readMessage(message, 0, "", count).items)
		.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The fate of a pass at the provider; undefined while it is not known. */
export function measureRewrite(pass: Pass, rewrites: Rewrites, prices: ModelPrices | undefined) {
	const parts = rewrites.get(keyOf(pass));
	if (parts === undefined || !pass.reported) return undefined;
	if (parts === null) return { cached: null, rewritten: null, paidBackAfter: null };
	const back = prices && payback({ policy: pass.policy, ...pass.reported }, parts.rewritten, prices);
	return { ...parts, paidBackAfter: back ?? null };
}

function keyOf({ newest, before }: Pick<Pass, "newest" | "before">): string {
	return `${newest} ${before}`;
}
