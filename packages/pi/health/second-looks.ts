/**
 * Second looks at what passes took. A look costs a request and its content again; a pass that has saved more than its looks
 * cost has paid for them. Only what had not paid for itself is regret.
 */

import { totalTokens } from "#core/ledger";
import type { Pass, Regret } from "#core/log";
import { isPrefixChange, type PlanInput } from "#core/planning";

export type SecondLooks = ReturnType<typeof measureSecondLooks>;

/** Ratios of list prices, where the model's are unknown. */
const usualPrices = { read: 0.1, write: 1.25 };

/** `regrets` are all second looks of the session. */
export function measureSecondLooks(
	{ graph, view, fixed, prices }: Pick<PlanInput, "graph" | "view" | "fixed" | "prices">,
	log: readonly Pass[],
	regrets: readonly Regret[],
) {
	const { messageOf } = graph.history.contents();
	const size = totalTokens(graph, view, fixed);
	const { read, write } = prices ?? usualPrices;
	const passes = log.map((pass, index) => {
		const own = regrets.filter((regret) => regret.pass === index + 1);
		const from = messageOf.get(pass.newest ?? "") ?? graph.messages.length;
		const later = graph.messages.slice(from + 1).filter(({ author }) => author === "model").length;
		const kept = isPrefixChange(pass) ? 0 : (pass.before - pass.after) * later;
		const broken = (pass.decision?.rewritten ?? 0) * (write - read);
		const tokens = sum(own.map((regret) => regret.tokens));
		const cost = own.length * size * read + tokens * write;
		const saved = kept * read - broken;
		const regretted = cost > Math.max(0, saved) ? tokens : 0;
		return {
			pass: index + 1,
			taken: sum(pass.strips.map((strip) => strip.tokens)),
			kept,
			cost,
			saved,
			regretted,
		};
	});
	const unpaid = new Set(passes.filter(({ regretted }) => regretted > 0).map(({ pass }) => pass));
	return {
		passes,
		/** Second looks, their tokens, and those of them that had not paid for themselves. */
		count: regrets.length,
		tokens: sum(regrets.map((regret) => regret.tokens)),
		regretted: sum(passes.map((pass) => pass.regretted)),
		/** The looks that had not paid for themselves. */
		unpaid: regrets.filter(({ pass }) => unpaid.has(pass)),
		/** Tokens that passes kept out of later requests. */
		kept: sum(passes.map((pass) => pass.kept)),
		/** The cost of the second looks, and what leaving saved, in dollars; null if the prices are unknown. */
		cost: prices ? sum(passes.map((pass) => pass.cost)) : null,
		saved: prices ? sum(passes.map((pass) => pass.saved)) : null,
	};
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
