/** The tokens that requests with passes wrote to the provider's cache again, by the usage that it reported. */

import { type CountTokens, fieldsOf } from "#basics";
import { MANUAL_PASS } from "#core/planning";
import { sumTokens } from "#core/transcript";
import { answerTime, type HostMessage, hasFailed, modelName } from "../codec/host-message.ts";
import { readMessage } from "../codec/messages.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { cacheEnd } from "../requests/cache-lifetime.ts";
import type { Sizes } from "../screen/sizes.ts";
import type { NumberedPass } from "../session/read-pass.ts";
import { type BranchRequest, readRequests } from "./branch-requests.ts";

/** Tokens of the provider that an earlier request had sent and that did not come from its cache. */
export type Rewrites = Readonly<ReturnType<typeof readRewrites>>;

/** Where a pass has no figures. */
const noFigures = { sent: null, cached: null, rewritten: null };

/** The messages of a branch as they were sent, compacted ones too, and our count of a text. */
interface SentMessages {
	readonly messages: readonly HostMessage[];
	readonly count: CountTokens;
	/** The sizes of requests whose passes did not record those of their time. */
	readonly sizes: Sizes;
}

/** Reads a branch from its root. Requests without reported usage are left out. */
export function readRewrites(branch: readonly BranchEntry[], sent: SentMessages) {
	/** By the time of the answer. */
	const byRequest = new Map<number, number>();
	/**
	 * By the number of the pass, with the size of its request and the tokens that this read from the cache. Nothing is written because of
	 * a pass where the model's cache was cold. A pass has no figure where another one of the same answered request has it, and where the
	 * request began in another way than the one before (`/cwl off`, `/cwl on`, a compaction, another system prompt), which had everything
	 * written. The size is that of the pass only where the request made it.
	 */
	const byPass = new Map<number, Readonly<Record<keyof typeof noFigures, number | null>>>();
	const messages = sent.messages.filter((message) => !hasFailed(fieldsOf(message)));
	const places = new Map(messages.map((message, place) => [answerTime(message), place]));
	/** The last request of each model. */
	const before = new Map<string, BranchRequest>();
	let previous: BranchRequest | undefined;
	/** The messages that it sent. */
	let sentBefore = 0;
	let summary = 0;
	for (const request of readRequests(branch)) {
		const { time, by, input, cached, made } = request;
		summary += request.summary === "" ? 0 : sent.count(request.summary);
		if (input === 0) continue;
		const name = modelName(by);
		// An answer that failed is none of the messages.
		const place = places.get(time) ?? messages.filter(({ timestamp }) => timestamp <= time).length;
		// Of several passes the last one has the figure, since those before may be of a request that was refused.
		const carrier = made.at(-1);
		const added = newTokens({ ...sent, messages }, sentBefore, place);
		const newInput = providerTokens(summary + added, carrier, sent.sizes);
		const again = previous === undefined ? 0 : Math.max(0, input - cached - newInput);
		byRequest.set(time, again);
		const rewritten = Math.min(again, cachedBefore(request, before.get(name)));
		const { prefix, held } = previous ?? { ...request, held: [] };
		const isContinued =
			request.isOn && prefix === request.prefix && held.every((pass) => request.held.includes(pass));
		const isOwn = request.isOn && summary === 0 && carrier?.policy !== MANUAL_PASS;
		const sizes = { ...noFigures, ...(isOwn && { sent: input }), ...(isContinued && { cached, rewritten }) };
		if (carrier) byPass.set(carrier.number, sizes);
		before.set(name, request);
		previous = request;
		sentBefore = place;
		summary = 0;
	}
	return { byRequest, byPass };
}

/** The most of a request that its model had in the cache and that was not read: no more than its own last request, and nothing after a pause. */
function cachedBefore({ by, time, cached }: BranchRequest, own: BranchRequest | undefined): number {
	if (!own) return 0;
	const end = cacheEnd({ ...by, timestamp: own.time }, { ...by, id: by.model }, "short");
	if (cached === 0 && time > end) return 0;
	return Math.max(0, own.input - cached);
}

/** By the factor of the pass's time, where it recorded that: a figure of the past does not move when more is learned. */
function providerTokens(counted: number, pass: NumberedPass | undefined, sizes: Sizes): number {
	if (!pass?.reported || pass.before <= 0) return sizes.part(counted);
	return Math.round((pass.reported.before / pass.before) * counted);
}

/** Our tokens that came after the last request before `place`, which ended at `sent` or later: its answer, and all between the two. */
function newTokens({ messages, count }: SentMessages, sent: number, place: number): number {
	const last = messages.slice(0, place).findLastIndex((message) => answerTime(message) !== undefined);
	const added = messages.slice(Math.max(sent, last), place);
	return sumTokens(added.flatMap((message) => readMessage(message, 0, "", count).items));
}

/** The tokens of the request with a pass, and those of them read from the cache and written to it again; null where the pass of this number has no figure. */
export function measureRewrite(number: number, { byPass }: Rewrites) {
	return byPass.get(number) ?? noFigures;
}
