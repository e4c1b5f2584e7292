/**
 * Second looks at what passes took. A look costs a request and its content again; a pass that has saved more than its looks
 * cost has paid for them. Only what had not paid for itself is regret. A look counts while the pass keeps its content out.
 */

import { sum } from "#basics";
import type { Regret } from "#core/log";
import type { BranchEntry } from "../custom-entries.ts";
import type { PricesOf } from "../model-prices.ts";
import { passSizes, type Sizes } from "../screen/sizes.ts";
import { type NumberedPass, passesIn } from "../session/read-pass.ts";
import { readRequests } from "./branch-requests.ts";

export type SecondLooks = ReturnType<typeof measureSecondLooks>;

/** Ratios of list prices, where the model's are unknown. */
const usualPrices = { read: 0.1, write: 1.25 };

/** Content that a pass kept out of requests. */
interface Kept {
	/** Tokens of the provider. */
	readonly tokens: number;
	/** The cost of reading them from the cache, each time at the prices of the model that answered. */
	readonly worth: number;
	/** Those of the first of these requests; undefined if they are unknown. */
	readonly prices: ReturnType<PricesOf>;
	/** Ids of the calls in the answers to these requests. */
	readonly calls: ReadonlySet<string>;
}

/**
 * The content that each pass of a branch kept out of requests, by its number; of passes that were taken back too, for as long as they
 * held. A request while CWL was off sent everything, and a compaction puts its summary in the place of what a pass took.
 */
export function countKept(
	branch: readonly BranchEntry[],
	sizes: Sizes,
	pricesOf: PricesOf,
): ReadonlyMap<number, Kept> {
	const kept = new Map<number, Kept & { readonly calls: Set<string> }>();
	for (const { isOn, isFailed, passes, by, calls } of readRequests(branch)) {
		if (!isOn || isFailed) continue;
		const prices = pricesOf(by);
		const { read } = prices ?? usualPrices;
		for (const pass of passes) {
			const { before, after } = passSizes(pass, sizes).reported;
			const so = kept.get(pass.number) ?? { tokens: 0, worth: 0, prices, calls: new Set<string>() };
			const tokens = before - after;
			kept.set(pass.number, {
				...so,
				tokens: so.tokens + tokens,
				worth: so.worth + tokens * read,
			});
			for (const id of calls) so.calls.add(id);
		}
	}
	return kept;
}

interface LookSources {
	/** The passes in force, in our count as their log has it. */
	readonly log: readonly NumberedPass[];
	/** All second looks of the session, in our count; each has the place of its pass in `log`, from 1. */
	readonly regrets: readonly Regret[];
	/** As `countKept` gives it. */
	readonly kept: ReadonlyMap<number, Kept>;
	readonly sizes: Sizes;
	/** Those of the model that answers next, for passes without a request. */
	readonly prices: ReturnType<PricesOf>;
}

/** Sizes are in the provider's tokens as of the time of each pass, and passes are named by their numbers. */
export function measureSecondLooks({ log, regrets, kept, sizes, prices }: LookSources) {
	const pricesAt = (number: number) => (kept.has(number) ? kept.get(number)?.prices : prices);
	const made = passesIn(log);
	const isPriced = made.every(({ number }) => pricesAt(number) !== undefined);
	const passes = made.map((logged) => {
		const { number, strips, decision } = logged;
		const { read, write } = pricesAt(number) ?? usualPrices;
		const { reported, part } = passSizes(logged, sizes);
		const calls = regrets
			.filter(({ pass, call }) => log[pass - 1] === logged && kept.get(number)?.calls.has(call.callId))
			.map((regret) => ({ ...regret, tokens: part(regret.tokens), pass: number }));
		const again = sum(calls.map(({ tokens }) => tokens));
		const cost = calls.length * reported.after * read + again * write;
		const broken = part(decision?.rewritten ?? 0) * (write - read);
		const saved = (kept.get(number)?.worth ?? 0) - broken;
		const isPaid = cost <= Math.max(0, saved);
		const taken = part(sum(strips.map(({ tokens }) => tokens)));
		return { pass: number, calls, taken, again, regretted: isPaid ? 0 : again, cost, saved };
	});
	const place = new Map(regrets.map(({ call }, index) => [call, index]));
	const inOrder = (all: typeof passes) =>
		all.flatMap(({ calls }) => calls).toSorted((a, b) => (place.get(a.call) ?? 0) - (place.get(b.call) ?? 0));
	return {
		/** `again`: tokens of a pass that were read again; `regretted`: those of them that had not paid for themselves. */
		passes,
		/** The second looks, oldest first, and those that had not paid for themselves. */
		calls: inOrder(passes),
		unpaid: inOrder(passes.filter(({ regretted }) => regretted > 0)),
		/** Tokens of the second looks, and of those that had not paid for themselves. */
		tokens: sum(passes.map(({ again }) => again)),
		regretted: sum(passes.map(({ regretted }) => regretted)),
		/** Tokens that passes kept out of later requests. */
		kept: sum(Array.from(kept.values(), ({ tokens }) => tokens)),
		/** The cost of the second looks, and what leaving saved, in dollars; null if the prices are unknown. */
		cost: isPriced ? sum(passes.map(({ cost }) => cost)) : null,
		saved: isPriced ? sum(passes.map(({ saved }) => saved)) : null,
	};
}
