/** Our token counts in the tokens of the model in use, as its provider's reports calibrate them. */
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { countedBudget, reportedBudget, reportedTokens, uncalibrated } from "#core/ledger";
import { modelName, type TrafficMeter } from "#pi";

export interface TokenScale {
	/** The provider's figures for this process's requests; undefined until the first of them. */
	meter: TrafficMeter | undefined;
	/** The name of the model in use, "" without one. */
	modelName(ctx: ExtensionContext): string;
	/** Returns true if figures rest on a provider's usage, false if they are only our own count. */
	isReported(ctx: ExtensionContext): boolean;
	/** Tokens of a whole request that we count, in those of the model in use. */
	reported(ctx: ExtensionContext, counted: number): number;
	/** The budget that a plan in tokens of ours was made for. */
	reportedBudget(ctx: ExtensionContext, counted: number): number;
	/** The same for a part of a request, framing left out. */
	part(ctx: ExtensionContext, counted: number): number;
	/** A budget in the model's tokens, in those that we count; never above what its provider refused. */
	counted(ctx: ExtensionContext, budget: number): number;
	/** Never send the model in use more than this in this process, in tokens that we count. */
	tighten(ctx: ExtensionContext, ceiling: number): void;
}

export function createTokenScale(): TokenScale {
	/** Sizes that providers refused, by model. */
	const ceilings = new Map<string, number>();
	const calibrationOf = (ctx: ExtensionContext) =>
		scale.meter?.calibration(scale.modelName(ctx)) ?? uncalibrated;
	const scale: TokenScale = {
		meter: undefined,
		modelName: ({ model }) => (model ? modelName(model.provider, model.id) : ""),
		isReported: (ctx) => calibrationOf(ctx).samples > 0,
		reported: (ctx, counted) => reportedTokens(calibrationOf(ctx), counted),
		reportedBudget: (ctx, counted) => reportedBudget(calibrationOf(ctx), counted),
		part: (ctx, counted) => Math.round(calibrationOf(ctx).factor * counted),
		counted: (ctx, budget) =>
			Math.min(countedBudget(calibrationOf(ctx), budget), ceilings.get(scale.modelName(ctx)) ?? Infinity),
		tighten: (ctx, ceiling) => ceilings.set(scale.modelName(ctx), ceiling),
	};
	return scale;
}
