/** The setup that all sessions of a run share, made from plain settings so that every thread can make its own. */
import { type CountTokens, sum } from "#basics";
import type { FixedTokens } from "#core/ledger";
import { loadTokenCounter } from "#pi/codec";
import { basePrompt, toolWords } from "#pi/prompt";
import { budgetTokens } from "#pi/settings";
import { loadModel, type ModelProfile, type PriceList, priceLists } from "../metrics/prices.ts";
import { loadPolicies } from "../policies/registry.ts";
import { type Arm, armsUnder } from "./arms.ts";
import { whatIfArms } from "./what-if.ts";

/** Plain data. Budgets are in tokens. */
export interface ReplaySettings {
	/** Names, as `loadPolicies` reads them. */
	readonly policies: string;
	/** None for the automatic budget; only a sweep has several. */
	readonly budgets: readonly number[];
	/** True to replay each policy under each budget, as `whatIfArms` says. */
	readonly isSweep: boolean;
	/** Names of models whose prices are asked for. */
	readonly models: readonly string[];
	/** Name of the model that the sessions are replayed as: its prices and its thinking check decide. */
	readonly as?: string | undefined;
	/** The folder where every projected request is written. */
	readonly requests?: string | undefined;
	/** True to keep the size of each request. */
	readonly withContexts: boolean;
}

/** The settings that figures depend on. */
export interface RunSettings extends Pick<ReplaySettings, "models" | "as" | "isSweep"> {
	readonly arms: readonly Omit<Arm, "policy">[];
	/** A session is under pressure from the first request whose whole history passes this many tokens. */
	readonly pressure: number;
	readonly fixed: FixedTokens;
}

export interface ReplaySetup extends Pick<ReplaySettings, "requests" | "withContexts"> {
	readonly settings: RunSettings;
	readonly arms: readonly Arm[];
	/** The model that the sessions are replayed as. */
	readonly model: ModelProfile | undefined;
	/** Those of the two kinds of provider, then those of the models. */
	readonly prices: readonly PriceList[];
	readonly count: CountTokens;
	readonly system: string;
}

/** Automatic budgets differ from model to model; figures over the same requests can be compared. */
const AUTO_PRESSURE = 80_000;

/** @throws CwlError for a policy, a knob or a model that is not known */
export async function openReplay(settings: ReplaySettings): Promise<ReplaySetup> {
	const { budgets, isSweep, models, as, requests, withContexts } = settings;
	const model = as === undefined ? undefined : await loadModel(as);
	const policies = await loadPolicies(settings.policies);
	const [budget] = budgets;
	const auto = budgetTokens({ type: "auto" }, model?.contextWindow);
	const arms = isSweep
		? whatIfArms(budgets, policies, auto)
		: armsUnder(budget ?? auto, policies, budget === undefined);
	const prices: PriceList[] = [priceLists.anthropic, priceLists.openai];
	for (const name of models) prices.push((await loadModel(name)).prices);
	const count = await loadTokenCounter();
	const { system, fixed } = createReplayPrompt(count);
	const pressure = budget === undefined ? AUTO_PRESSURE : Math.min(...budgets);
	return {
		settings: { arms, pressure, fixed, as, models, isSweep },
		arms,
		model,
		prices,
		count,
		system,
		requests,
		withContexts,
	};
}

/** The fixed part of every replayed request: this project's own prompt and tools, whatever the recorded agent had. */
export function createReplayPrompt(count: CountTokens) {
	const system = basePrompt();
	const tools = sum(Object.values(toolWords), (words) => count(JSON.stringify(words)));
	return { system, fixed: { system: count(system), tools } };
}
