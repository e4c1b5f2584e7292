/** The setup that all sessions of a run share, made from plain settings so that every thread can make its own. */
import type { FixedTokens } from "#core/ledger";
import { budgetTokens, type CountTokens, loadTokenCounter } from "#pi";
import { loadModelPrices, loadModels, type ModelProfile } from "../metrics/model-prices.ts";
import { type PriceList, priceLists } from "../metrics/prices.ts";
import { loadPolicies } from "../policies/own-policies.ts";
import type { Annotation } from "../recording/annotation.ts";
import { type Arm, armsUnder } from "../simulation/arm.ts";
import { createReplayPrompt } from "../simulation/replay-prompt.ts";
import type { RequestForm } from "../simulation/request-file.ts";
import { whatIfArms } from "../simulation/what-if-arms.ts";

/** Plain data. Budgets are in tokens. */
export interface ReplaySettings {
	readonly comparison:
		| { readonly type: "policies"; readonly policies: string; readonly budget: number | "auto" }
		| { readonly type: "sweep"; readonly policies: string; readonly budgets: readonly number[] };
	/** Names of models whose prices are asked for. */
	readonly models: readonly string[];
	/** Name of the model that the sessions are replayed as: its prices decide, and its thinking check is measured. */
	readonly as: string | undefined;
	/** True to add thinking to answers that were recorded without. */
	readonly addsThinking: boolean;
	readonly annotation: Annotation;
	readonly requests: { readonly folder: string; readonly form: RequestForm } | undefined;
	/** True to keep each session request by request. */
	readonly withCourse: boolean;
	/** True to time passes. Times are the only figures that differ from run to run. */
	readonly withTimes: boolean;
}

export interface ReplaySetup
	extends Pick<ReplaySettings, "annotation" | "requests" | "withCourse" | "withTimes" | "addsThinking"> {
	readonly arms: readonly Arm[];
	/** A session is under pressure from the first request whose whole history passes this many tokens. */
	readonly pressure: number;
	/** The model that the sessions are replayed as. */
	readonly model: ModelProfile | undefined;
	/** Those of the two kinds of provider, then those of the models. */
	readonly prices: readonly PriceList[];
	readonly count: CountTokens;
	readonly system: string;
	readonly fixed: FixedTokens;
	/** A clock in ms. */
	readonly now: () => number;
}

/** @throws CwlError for a policy, a knob or a model that is not known */
export async function openReplay(settings: ReplaySettings): Promise<ReplaySetup> {
	const { comparison, models, as } = settings;
	const [model] = await loadModels(as === undefined ? [] : [as]);
	const arms = await armsOf(comparison, model);
	const dollars = await loadModelPrices(models);
	const count = await loadTokenCounter();
	return {
		...settings,
		...createReplayPrompt(count),
		...{ arms, model },
		pressure: pressureOf(comparison),
		prices: [priceLists.anthropic, priceLists.openai, ...dollars],
		count,
		now: () => performance.now(),
	};
}

/** Automatic budgets differ from model to model; figures over the same requests can be compared. */
const AUTO_PRESSURE = 80_000;

function pressureOf(comparison: ReplaySettings["comparison"]): number {
	if (comparison.type === "sweep") return Math.min(...comparison.budgets);
	return comparison.budget === "auto" ? AUTO_PRESSURE : comparison.budget;
}

async function armsOf(
	comparison: ReplaySettings["comparison"],
	model: ModelProfile | undefined,
): Promise<readonly Arm[]> {
	const policies = await loadPolicies(comparison.policies);
	if (comparison.type === "sweep") return whatIfArms(comparison.budgets, policies, model?.contextWindow);
	if (comparison.budget !== "auto") return armsUnder(comparison.budget, policies);
	return armsUnder(budgetTokens({ type: "auto" }, model?.contextWindow), policies, true);
}
