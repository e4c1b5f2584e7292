/**
 * Token counts in the tokens of the model in use, as its provider's reports calibrate them, and the budget in
 * force for it.
 */

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { type Calibration, countedBudget, reportedBudget, reportedTokens, uncalibrated } from "#core/ledger";
import { ceilingUnder, type PlanInput, type Policy } from "#core/planning";
import type { ModelPrices } from "#core/prices";
import { findPrices } from "#pi";
import { modelName, readRetention, type TrafficMeter } from "#pi/requests";
import { explainBudget, formatTokens } from "#pi/screen";
import { budgetTokens } from "#pi/settings";
import type { SettingsState } from "./settings-state.ts";

export type TokenScale = ReturnType<typeof createTokenScale>;

export function createTokenScale() {
	/** Sizes that providers refused, by model. */
	const ceilings = new Map<string, number>();
	const nameOf = ({ model }: ExtensionContext) => (model ? modelName(model.provider, model.id) : "");
	const calibration = (ctx: ExtensionContext): Calibration =>
		scale.meter?.calibration(nameOf(ctx)) ?? uncalibrated;
	const scale = {
		/** The provider's figures for this process's requests; undefined until the first of them. */
		meter: undefined as TrafficMeter | undefined,
		calibration,
		/** The name of the model in use, "" without one. */
		modelName: nameOf,
		/** Tokens of a whole request that we count, in those of the model in use. */
		reported: (ctx: ExtensionContext, counted: number) => reportedTokens(calibration(ctx), counted),
		/** The budget that a plan in counted tokens was made for, in tokens of the model. */
		reportedBudget: (ctx: ExtensionContext, counted: number) => reportedBudget(calibration(ctx), counted),
		/** Tokens of a part of a request that we count, in those of the model in use; framing left out. */
		part: (ctx: ExtensionContext, counted: number) => Math.round(calibration(ctx).factor * counted),
		/** Shows the size of a part, in tokens of the model in use. */
		show: (ctx: ExtensionContext) => (counted: number) => formatTokens(scale.part(ctx, counted)),
		/** A budget in the model's tokens, in those that we count; never above what its provider refused. */
		counted: (ctx: ExtensionContext, budget: number) =>
			Math.min(countedBudget(calibration(ctx), budget), ceilings.get(nameOf(ctx)) ?? Infinity),
		/** Never send the model in use more than this in this process, in tokens that we count. */
		tighten: (ctx: ExtensionContext, ceiling: number) => ceilings.set(nameOf(ctx), ceiling),
	};
	return scale;
}

/** The largest request that the settings allow, in the provider's tokens. */
export function budgetOf({ settings }: { readonly settings: SettingsState }, ctx: ExtensionContext): number {
	const { budget, attentionCap } = settings.loaded.settings;
	const tokens = budgetTokens(budget, ctx.model?.contextWindow, attentionCap);
	return budget.type === "auto" ? ceilingUnder(tokens, pricesOf(ctx), 0) : tokens;
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
export function explainChoice(
	{ scale }: { readonly scale: TokenScale },
	ctx: ExtensionContext,
	{ policy, input }: { readonly policy: Policy; readonly input: PlanInput },
): string {
	return explainBudget(policy, input, ctx.model?.id, (counted) => scale.reportedBudget(ctx, counted)).reason;
}
