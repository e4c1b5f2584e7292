/** The setting that a sweep of budgets recommends. */
import { formatTokens, percent } from "#basics";
import { policyNames } from "#pi/session";
import { totalGrounding } from "../metrics/grounding.ts";
import { chargedCostOf, type PolicyReport, shareOf } from "./figures.ts";
import { baselines, byCost, compareTo } from "./verdict.ts";

const keptOf = ({ grounding }: PolicyReport) => shareOf(totalGrounding(grounding));

/** How much of what keeps most may be lost for a lower price: a share of all needs. */
const TOLERANCE = 0.01;

/**
 * The cheapest of the settings that live sessions have which stays within its budget and keeps nearly as many needs as the
 * one that keeps most; the default where that is nearly as cheap. Null where the sessions say nothing: none of them outgrows
 * a budget, or no later step needed anything.
 */
export function advise(policies: readonly PolicyReport[]) {
	const settable = policies.filter((policy) => settingOf(policy) !== undefined);
	const held = settable.filter(({ pressed }) => pressed?.overBudget === 0);
	const candidates = byCost((held.length > 0 ? held : settable).filter(({ pressed }) => pressed !== null));
	const [best] = candidates.toSorted((a, b) => keptOf(b) - keptOf(a));
	if (!best || totalGrounding(best.grounding).needed === 0) return null;
	const enough = candidates.filter((each) => keptOf(each) >= keptOf(best) - TOLERANCE);
	const cheapest = enough[0] ?? best;
	const usual = candidates.find(({ isAuto }) => isAuto);
	const isUsualAsGood =
		usual !== undefined &&
		enough.includes(usual) &&
		chargedCostOf(usual) <= (1 + AS_CHEAP) * chargedCostOf(cheapest);
	const chosen = isUsualAsGood ? usual : cheapest;
	const others = [
		...(usual && usual !== chosen ? [{ policy: usual, name: "the default" }] : []),
		...baselines(policies),
	];
	// What a setting evicts has to be looked at again.
	const costs = others.map(({ policy, name }) =>
		compareTo(chargedCostOf(chosen), chargedCostOf(policy), name),
	);
	const price = costs.length === 0 ? "" : `costs ${joinWords(costs)}, and `;
	return {
		/** `setting` is to paste, as JSON under the key `cwl`. */
		policy: chosen.policy,
		budget: chosen.budget,
		setting: settingOf(chosen) ?? "",
		/** The default is the advice: no setting is needed. */
		isDefault: chosen.isAuto,
		reason: `it ${price}keeps ${percent(keptOf(chosen))} of what later steps needed`,
	};
}

/** A default that costs at most this share more than the cheapest setting is as good. */
const AS_CHEAP = 0.02;

/** `a`, `a and b`, `a, b and c`. */
function joinWords(words: readonly string[]): string {
	const last = words.at(-1) ?? "";
	return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** Names of the arms, as the setting `lowWater` calls them. */
const lowWaterNames: Readonly<Record<string, string>> = {
	"cwl-economy": "economy",
	cwl: "balanced",
	"cwl-quality": "quality",
};

/** Undefined for a policy that only a replay knows, or one with knobs of its own. */
function settingOf({ policy, budget, isAuto }: PolicyReport): string | undefined {
	if (isAuto) return '{ "budget": "auto" }';
	const [name = ""] = policy.split("@");
	const start = `{ "budget": "${formatTokens(budget)}"`;
	const lowWater = lowWaterNames[name];
	if (lowWater !== undefined) return `${start}, "lowWater": "${lowWater}" }`;
	return policyNames().includes(name) ? `${start}, "policy": "${name}" }` : undefined;
}
