/** One sentence on the budget in force, and why it is so. */
import type { AutoBudget } from "#core/planning";
import { formatTokens } from "../settings/budget.ts";

/**
 * The largest request comes first: it is the budget that the footer, the panel and the replies show. `model` is the id
 * of the model in use, if there is one.
 */
export function explainAutoBudget(auto: AutoBudget, model: string | undefined): string {
	const { highWater, lowWater, ceiling, isBelowTier, rewriteReads } = auto;
	const name = model ?? "the model";
	const tier = isBelowTier ? `, below the next price step of ${name}` : "";
	const early = highWater < ceiling ? `, passes from ${formatTokens(highWater)} on` : "";
	const reason =
		rewriteReads === undefined
			? `the prices of ${name} are unknown`
			: `on ${name} a rewrite costs as much as ${Number(rewriteReads.toPrecision(3))} cached reads`;
	return `auto: at most ${formatTokens(ceiling)}${tier}${early}, evict down to ${formatTokens(lowWater)}: ${reason}`;
}

/** In tokens. */
export function explainFixedBudget(budget: number, lowWater: number): string {
	return `fixed: ${formatTokens(budget)}, evict down to ${formatTokens(lowWater)}`;
}
