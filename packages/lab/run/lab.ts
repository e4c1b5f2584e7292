/** The setup that all sessions of a run share, made from plain settings so that every thread can make its own. */
import type { FixedTokens } from "#core";
import { type CountTokens, loadTokenCounter } from "#pi";
import { loadModelPrices } from "../metrics/model-prices.ts";
import { type PriceList, priceLists } from "../metrics/prices.ts";
import { loadPolicies } from "../policies/own-policies.ts";
import type { Annotation } from "../recording/annotation.ts";
import { type Arm, armsUnder } from "../replay/arm.ts";
import { createReplayPrompt } from "../replay/replay-prompt.ts";
import type { RequestForm } from "../replay/request-file.ts";
import { whatIfArms } from "../replay/what-if-arms.ts";

/** Plain data. Budgets are in tokens. */
export interface LabSettings {
	readonly comparison:
		| { readonly type: "policies"; readonly policies: string; readonly budget: number }
		| { readonly type: "sweep"; readonly budgets: readonly number[] };
	/** Names of models whose prices are asked for. */
	readonly models: readonly string[];
	readonly annotation: Annotation;
	readonly requests: { readonly folder: string; readonly form: RequestForm } | undefined;
	/** True to keep each session request by request. */
	readonly withCourse: boolean;
	/** True to time passes. Times are the only figures that differ from run to run. */
	readonly withTimes: boolean;
}

export interface Lab extends Pick<LabSettings, "annotation" | "requests" | "withCourse" | "withTimes"> {
	readonly arms: readonly Arm[];
	/** A session is under pressure from the first request whose whole history passes this many tokens. */
	readonly pressure: number;
	/** Those of the two kinds of provider, then those of the models. */
	readonly prices: readonly PriceList[];
	readonly count: CountTokens;
	readonly system: string;
	readonly fixed: FixedTokens;
	/** A clock in ms. */
	readonly now: () => number;
}

/** @throws CwlError for a policy, a knob or a model that is not known */
export async function openLab(settings: LabSettings): Promise<Lab> {
	const { comparison, models } = settings;
	const arms = await armsOf(comparison);
	const dollars = await loadModelPrices(models);
	const count = await loadTokenCounter();
	return {
		...settings,
		...createReplayPrompt(count),
		arms,
		pressure: comparison.type === "sweep" ? Math.min(...comparison.budgets) : comparison.budget,
		prices: [priceLists.anthropic, priceLists.openai, ...dollars],
		count,
		now: () => performance.now(),
	};
}

async function armsOf(comparison: LabSettings["comparison"]): Promise<readonly Arm[]> {
	if (comparison.type === "sweep") return whatIfArms(comparison.budgets);
	return armsUnder(comparison.budget, await loadPolicies(comparison.policies));
}
