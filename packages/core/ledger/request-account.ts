/** Accounts for every input token of a request (design rule 16): input = cached + new + rewritten + expired. */

/** The columns of one request, in the tokens of the provider; they add up to what it reported. */
export interface RequestAccount {
	/** Read from the provider's cache. */
	readonly cached: number;
	/** Sent for the first time, or before when it was too short to be cached. */
	readonly added: number;
	/** Sent before, and cached no more because a pass cut the context in front of it. */
	readonly rewritten: number;
	/** Sent before in the same place, but the provider had let it go. */
	readonly expired: number;
}

/** One request as we sent it, in the tokens of the provider as far as we can tell. */
export interface SentRequest {
	/** Tokens of the prefix that it shares with the request before; 0 for the first. */
	readonly shared: number;
	/** Tokens that no request before had sent. */
	readonly added: number;
	readonly hasPass: boolean;
	/** True if the cache was known to be cold. */
	readonly isCold: boolean;
}

/** The usage that the provider reported, in tokens: all input, and the part that it read from its cache. */
export interface ReportedInput {
	readonly input: number;
	readonly cached: number;
}

/** Providers cache in steps of up to this many tokens (OpenAI: 128), and the last block may miss the step. */
const CACHE_STEP = 256;
/** Neither Anthropic nor OpenAI caches a shorter prompt (some models want more); in tokens. */
export const SMALLEST_CACHED = 1_024;
/** Our count of a prompt may be off by a step. */
const MIN_PREFIX = SMALLEST_CACHED + CACHE_STEP;
/** How far our estimate of the shared part may be off. */
const TOLERANCE = 0.01;

/** Put every reported token into one column. A remainder within cache step and tolerance is no expiry. */
export function accountFor(sent: SentRequest, reported: ReportedInput): RequestAccount {
	const cached = Math.min(reported.cached, reported.input);
	const uncached = reported.input - cached;
	const added = Math.min(uncached, sent.added);
	const rest = uncached - added;
	const isCacheable = sent.shared >= MIN_PREFIX;
	const missed = isCacheable ? Math.min(rest, Math.max(0, sent.shared - cached)) : 0;
	if (sent.hasPass) {
		// The provider reads up to a breakpoint before the cut: tokens between the two are rewritten because of the cut.
		const expired = sent.isCold ? missed : 0;
		return { cached, added, rewritten: rest - expired, expired };
	}
	const expired = missed > Math.max(CACHE_STEP, TOLERANCE * reported.input) ? rest : 0;
	return { cached, added: uncached - expired, rewritten: 0, expired };
}

const nothing: RequestAccount = { cached: 0, added: 0, rewritten: 0, expired: 0 };

/** The columns of several requests. */
export function sumAccounts(accounts: readonly RequestAccount[]): RequestAccount {
	return accounts.reduce(
		(sum, account) => ({
			cached: sum.cached + account.cached,
			added: sum.added + account.added,
			rewritten: sum.rewritten + account.rewritten,
			expired: sum.expired + account.expired,
		}),
		nothing,
	);
}
