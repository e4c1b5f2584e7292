/** The setup that all sessions of a run share, made from plain settings so that every thread can make its own. */
import type { FixedTokens } from "#core/ledger";
import {
	basePrompt,
	budgetTokens,
	type CountTokens,
	CwlError,
	formatTokens,
	loadTokenCounter,
	toolWords,
} from "#pi";
import {
	loadModelPrices,
	loadModels,
	type ModelProfile,
	type PriceList,
	priceLists,
} from "../metrics/prices.ts";
import { loadPolicies, parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import type { Annotation } from "../recording/annotation.ts";
import type { RequestForm } from "./request-file.ts";

/** Plain data. Budgets are in tokens. */
export interface ReplaySettings {
	readonly comparison:
		| { readonly type: "policies"; readonly policies: string; readonly budget: number | "auto" }
		| { readonly type: "sweep"; readonly policies: string; readonly budgets: readonly number[] };
	/** Names of models whose prices are asked for. */
	readonly models: readonly string[];
	/** Name of the model that the sessions are replayed as: its prices decide, and its thinking check is measured. */
	readonly as: string | undefined;
	readonly annotation: Annotation;
	readonly requests: { readonly folder: string; readonly form: RequestForm } | undefined;
	/** True to keep the size of each request. */
	readonly withContexts: boolean;
}

/** One side of a comparison: a policy under a budget. */
export interface Arm {
	/** The policy's name; with its budget where one policy runs under several. */
	readonly name: string;
	readonly policy: ReplayPolicy;
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	/** True for an automatic budget. */
	readonly isAuto?: boolean;
}

export interface ReplaySetup extends Pick<ReplaySettings, "annotation" | "requests" | "withContexts"> {
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
}

/** @throws CwlError for a policy, a knob or a model that is not known */
export async function openReplay({ comparison, ...settings }: ReplaySettings): Promise<ReplaySetup> {
	const [model] = await loadModels(settings.as === undefined ? [] : [settings.as]);
	const arms = await armsOf(comparison, model?.contextWindow);
	const dollars = await loadModelPrices(settings.models);
	const count = await loadTokenCounter();
	return {
		...settings,
		...createReplayPrompt(count),
		...{ arms, model, count },
		pressure: pressureOf(comparison),
		prices: [priceLists.anthropic, priceLists.openai, ...dollars],
	};
}

/** The fixed part of every replayed request: this project's own prompt and tools, whatever the recorded agent had. */
export function createReplayPrompt(count: CountTokens): Pick<ReplaySetup, "system" | "fixed"> {
	const system = basePrompt();
	const tools = Object.values(toolWords).reduce((sum, words) => sum + count(JSON.stringify(words)), 0);
	return { system, fixed: { system: count(system), tools } };
}

/** Automatic budgets differ from model to model; figures over the same requests can be compared. */
const AUTO_PRESSURE = 80_000;

function pressureOf(comparison: ReplaySettings["comparison"]): number {
	if (comparison.type === "sweep") return Math.min(...comparison.budgets);
	return comparison.budget === "auto" ? AUTO_PRESSURE : comparison.budget;
}

async function armsOf(
	comparison: ReplaySettings["comparison"],
	contextWindow: number | undefined,
): Promise<readonly Arm[]> {
	const policies = await loadPolicies(comparison.policies);
	if (comparison.type === "sweep") return whatIfArms(comparison.budgets, policies, contextWindow);
	if (comparison.budget !== "auto") return armsUnder(comparison.budget, policies);
	return armsUnder(budgetTokens({ type: "auto" }, contextWindow), policies, true);
}

/** One arm for each policy, all under one budget in tokens. */
export function armsUnder(budget: number, policies: readonly ReplayPolicy[], isAuto = false): readonly Arm[] {
	return policies.map((policy) => ({ name: policy.name, policy, budget, isAuto }));
}

/**
 * No eviction, pi's own compaction at the largest request of the automatic budget, and the automatic budget once, to compare
 * with, and each policy under each budget.
 * @throws CwlError `bad-sweep` without a policy
 */
export function whatIfArms(
	budgets: readonly number[],
	policies: readonly ReplayPolicy[],
	contextWindow?: number,
): readonly Arm[] {
	const bounded = policies.filter(({ name }) => name !== "none");
	if (bounded.length === 0) {
		throw new CwlError("bad-sweep", "--what-if compares budgets: name a policy other than none.");
	}
	const underEach = budgets.flatMap((budget) =>
		bounded.map((policy): Arm => ({ name: `${policy.name}@${formatTokens(budget)}`, policy, budget })),
	);
	const cap = budgetTokens({ type: "auto" }, contextWindow);
	const compaction = armsUnder(cap, parsePolicies("compaction")).map((arm) => {
		return { ...arm, name: `compaction@${formatTokens(cap)}` };
	});
	return [
		...armsUnder(Math.min(...budgets), parsePolicies("none")),
		...compaction.filter(({ name }) => !underEach.some((arm) => arm.name === name)),
		...armsUnder(cap, parsePolicies("cwl"), true).map((arm) => ({ ...arm, name: "cwl@auto" })),
		...underEach,
	];
}
