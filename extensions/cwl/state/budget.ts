/** The budget in force for the model in use. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { autoBudgetFor, budgetCeiling, lowWaterOf, type PlanInput } from "#core/planning";
import type { ModelPrices } from "#core/prices";
import { budgetTokens, explainAutoBudget, explainFixedBudget, findPrices, readRetention } from "#pi";
import type { Runtime } from "./runtime.ts";
import type { PlanningContext } from "./session-state.ts";
import type { TokenScale } from "./token-scale.ts";

/** The largest request that the settings allow, in the provider's tokens. */
export function budgetOf({ settings }: Pick<Runtime, "settings">, ctx: ExtensionContext): number {
	const { budget, attentionCap } = settings.loaded.settings;
	const tokens = budgetTokens(budget, ctx.model?.contextWindow, attentionCap);
	return budget.type === "auto" ? budgetCeiling(pricesOf(ctx), tokens, 0) : tokens;
}

/** The prices of the model in use, in US dollars per token of the provider; undefined if nobody knows them. */
function pricesOf({ model }: ExtensionContext): ModelPrices | undefined {
	return model && findPrices(model, Date.now(), readRetention(process.env)).prices;
}

/** The same with price tiers at the sizes that we count. */
export function countedPrices(ctx: ExtensionContext, scale: TokenScale): Pick<PlanInput, "prices"> {
	const prices = pricesOf(ctx);
	if (!prices) return {};
	const tiers = prices.tiers.map((tier) => ({ ...tier, above: scale.counted(ctx, tier.above) }));
	return { prices: { ...prices, tiers } };
}

/** One sentence on what was chosen and why. */
export function explainBudget(
	{ settings, scale }: Runtime,
	ctx: ExtensionContext,
	{ policy, input }: PlanningContext,
): string {
	const { budget } = settings.loaded.settings;
	const show = (counted: number) => scale.reportedBudget(ctx, counted);
	if (budget.type !== "auto") return explainFixedBudget(show(input.budget), show(lowWaterOf(policy, input)));
	const { highWater, lowWater: auto, ceiling, ...reasons } = autoBudgetFor(input);
	const sizes = { highWater: show(highWater), lowWater: show(auto), ceiling: show(ceiling) };
	return explainAutoBudget({ ...sizes, ...reasons }, ctx.model?.id);
}
