/** One sentence on the budget in force, and why it is so. */
import type { AutoBudget } from "#core";
import { formatTokens } from "../settings/budget.ts";

/** `model` is the id of the model in use, if there is one. */
export function explainAutoBudget(auto: AutoBudget, model: string | undefined): string {
	const { highWater, lowWater, ceiling, isBelowTier, rewriteReads } = auto;
	const early =
		highWater < ceiling
			? `${formatTokens(highWater)}, at most ${formatTokens(ceiling)}`
			: formatTokens(ceiling);
	const name = model ?? "the model";
	const tier = isBelowTier ? `, below the next price step of ${name}` : "";
	const reason =
		rewriteReads === undefined
			? `the prices of ${name} are unknown`
			: `on ${name} a rewrite costs as much as ${Number(rewriteReads.toPrecision(3))} cached reads`;
	return `auto: ${early}${tier}, evict down to ${formatTokens(lowWater)}: ${reason}`;
}

/** In tokens. */
export function explainFixedBudget(budget: number, lowWater: number): string {
	return `fixed: ${formatTokens(budget)}, evict down to ${formatTokens(lowWater)}`;
}
