/** Compares other budgets and settings on a person's own sessions, and recommends one. */
import { formatTokens, policyNames } from "#pi";
import { keptDifference } from "../metrics/comparison.ts";
import { totalGrounding } from "../metrics/grounding.ts";
import type { Advice, PolicyReport } from "./report.ts";
import { costOf } from "./verdict.ts";

/** How much of what keeps most may be lost for a lower price: a share of all needs. */
const TOLERANCE = 0.01;

/**
 * Of the settings that live sessions have, the cheapest that keeps nearly as many needs as the one that keeps most and stays
 * within its budget. Null
 * where the sessions say nothing: none of them outgrows a budget, or no later step needed anything.
 */
export function advise(policies: readonly PolicyReport[]): Advice | null {
	const sound = policies.filter((policy) => settingOf(policy) !== undefined);
	const held = sound.filter(({ pressed }) => pressed?.overBudget === 0);
	const candidates = (held.length > 0 ? held : sound).filter(({ pressed }) => pressed !== null);
	const [best] = candidates.toSorted((a, b) => keptShare(b) - keptShare(a) || costOf(a) - costOf(b));
	if (!best || totalGrounding(best.grounding).needed === 0) return null;
	const byCost = candidates.toSorted((a, b) => costOf(a) - costOf(b));
	const chosen = byCost.find((each) => keptShare(each) >= keptShare(best) - TOLERANCE) ?? best;
	const cheaper = byCost[byCost.indexOf(chosen) - 1];
	const kept = `It keeps ${percent(keptShare(chosen))} of what later steps needed${lossText(chosen, best)}`;
	const costs = [
		...compareWith(chosen, policies.find(isCompaction), "pi's own compaction"),
		...compareWith(
			chosen,
			policies.find(({ policy }) => policy === "none"),
			"no eviction",
		),
	];
	const reason = costs.length === 0 ? kept : `${kept} and costs ${costs.join(", and ")}`;
	const next =
		cheaper &&
		` The next cheaper setting, ${settingOf(cheaper)}, costs ${compareCost(cheaper, chosen)} and keeps ${percent(keptShare(cheaper))}.`;
	const { policy, budget } = chosen;
	return { policy, budget, setting: settingOf(chosen) ?? "", reason: `${reason}.${next ?? ""}` };
}

/** pi's own, in whatever budget. */
function isCompaction({ policy }: PolicyReport): boolean {
	return /^compaction(@|$)/.test(policy);
}

/** `12 % less than no eviction, $0.40 a session`; nothing without the other one. */
function compareWith(own: PolicyReport, other: PolicyReport | undefined, name: string): readonly string[] {
	return other ? [`${compareCost(own, other)} than ${name}, ${savingText(own, other)}`] : [];
}

/** `12 % less`. */
function compareCost(own: PolicyReport, other: PolicyReport): string {
	const share = costOf(own) / costOf(other) - 1;
	return `${Math.round(100 * Math.abs(share))} % ${share <= 0 ? "less" : "more"}`;
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

/** The difference in each session that was under pressure; in input tokens without a model's prices. */
function savingText(chosen: PolicyReport, uncapped: PolicyReport): string {
	const count = chosen.bySession.filter(({ pressed }) => pressed !== null).length;
	const saved = (costOf(uncapped) - costOf(chosen)) / Math.max(1, count);
	const isPriced = Object.keys(chosen.pressed?.dollars ?? {}).length > 0;
	const amount = isPriced
		? `$${Math.abs(saved).toFixed(2)}`
		: `the price of ${formatTokens(Math.round(Math.abs(saved)))} uncached input tokens`;
	return `${amount} a session`;
}

function keptShare({ grounding }: PolicyReport): number {
	const { needed, kept } = totalGrounding(grounding);
	return needed === 0 ? 0 : kept / needed;
}

function lossText(one: PolicyReport, best: PolicyReport): string {
	if (one === best) return " (the most of all settings)";
	const loss = keptDifference(one.bySession, best.bySession, ({ grounding }) => totalGrounding(grounding));
	if (!loss) return "";
	const interval =
		loss.low === null || loss.high === null
			? ""
			: `; ${points(-loss.high)} to ${points(-loss.low)} on other sessions of this kind`;
	return ` (${points(-loss.value)} points less than the best setting${interval})`;
}

function points(share: number): string {
	return (100 * share).toFixed(1);
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
