/** The sentence that a replay begins with, and the setting that it recommends. */
import { countOf, formatTokens, percent } from "#basics";
import { policyNames } from "#pi/session";
import { totalGrounding } from "../metrics/grounding.ts";
import type { Run } from "../run/run.ts";
import type { RunSettings } from "../run/setup.ts";
import { chargedCostOf, costOf, type Figures, type PolicyReport, shareOf, sumUp } from "./figures.ts";
import { drawSessions, type Interval, intervalOf, projectOf } from "./intervals.ts";

export type Report = ReturnType<typeof createReport>;

export function createReport(run: Run, settings: RunSettings) {
	const figures = sumUp(run, settings);
	const advice = settings.isSweep ? advise(figures.policies) : null;
	return {
		...figures,
		/** The setting to take, where budgets were swept (`--what-if`). */
		advice,
		/** The answer in a sentence. */
		verdict: describeVerdict(figures, advice),
	};
}

/** The sentences of a verdict, in plain words; one that says why, when there is nothing to compare. */
export function describeVerdict(
	figures: Pick<Figures, "policies" | "sessions" | "budget">,
	advice: Advice | null,
) {
	const { policies, sessions, budget } = figures;
	const { replayed, pressed } = sessions;
	const own = `these ${countOf(replayed, "session")}`;
	const all = replayed === 1 ? "this session" : own;
	const limit = `${formatTokens(budget)} tokens`;
	if (replayed === 0) return "No session was replayed.";
	if (pressed === 0) {
		const small = replayed === 1 ? "This session does not outgrow" : `None of ${own} outgrows`;
		return `${small} ${limit}, so no policy has to evict anything: try a smaller budget.`;
	}
	if (advice?.isDefault) return `For ${all} keep the default budget: ${advice.reason}.`;
	if (advice) return `For ${all} set { "cwl": ${advice.setting} }: ${advice.reason}.`;
	const where = replayed === 1 ? "On this session" : `On ${pressed} of ${own} (those that outgrow ${limit})`;
	const cwl = policies.find(({ policy }) => policy.startsWith("cwl"));
	const [other] = baselines(policies);
	if (cwl && other) {
		const kept = compareKept(cwl.grounding, other.policy.grounding);
		const cost = compareTo(costOf(cwl), costOf(other.policy), other.name);
		return `${where} ${cwl.policy} would have cost ${cost}${kept}.${describeDoubt(cwl, other)}`;
	}
	const [cheapest] = byCost(policies);
	return `${where} ${cheapest?.policy} costs least; replay cwl and compaction to compare them.`;
}

/** Says that a difference in cost is none, where drawing other sessions could turn it around; empty otherwise. */
function describeDoubt(
	own: PolicyReport,
	other: { readonly policy: PolicyReport; readonly name: string },
): string {
	const [low, high] = costInterval(own, other.policy) ?? [];
	if (low === undefined || high === undefined || low > 1 || high < 1) return "";
	return ` That is no difference in cost: other sessions of this kind would cost ${percent(low)} to ${percent(high)} of ${other.name}.`;
}

/** The interval of the cost of one policy as a share of another's, over the same draws of sessions. */
function costInterval(own: PolicyReport, other: PolicyReport): Interval | null {
	const draws = drawSessions(own.bySession.map(({ session }) => projectOf(session)));
	const costIn = (policy: PolicyReport) => (index: number) =>
		costOf(policy.bySession[index] ?? { pressed: null });
	return intervalOf(draws, (sum) => sum(costIn(own)) / sum(costIn(other)));
}

/** The choices of a pi user without cwl, the nearest first; a compaction that was never made is no choice. */
function baselines(policies: readonly PolicyReport[]) {
	const compaction = policies.find(
		({ policy, extraCalls }) => /^compaction([:@]|$)/.test(policy) && extraCalls.calls > 0,
	);
	const none = policies.find(({ policy }) => policy === "none");
	return [
		...(compaction ? [{ policy: compaction, name: "pi's own compaction" }] : []),
		...(none ? [{ policy: none, name: "no eviction" }] : []),
	];
}

/** `12 % less than no eviction`. */
export function compareTo(own: number, other: number, name = ""): string {
	const difference = other === 0 ? 0 : own / other - 1;
	const rounded = Math.round(100 * Math.abs(difference));
	if (rounded === 0) return `about as much${name && ` as ${name}`}`;
	return `${rounded} % ${difference < 0 ? "less" : "more"}${name && ` than ${name}`}`;
}

/** Compares charged costs: what a setting evicts has to be looked at again. */
const compareCost = (own: PolicyReport, other: PolicyReport, name = "this one"): string =>
	compareTo(chargedCostOf(own), chargedCostOf(other), name);

/** Edits say most: their old text must be there word for word. Sessions without an edit go by all that was needed. */
function compareKept(own: PolicyReport["grounding"], other: PolicyReport["grounding"]): string {
	const hasEdits = own.edit.needed > 0;
	const what = hasEdits ? "the text that later edits needed" : "what later steps needed";
	const counts = [own, other].map((each) => (hasEdits ? each.edit : totalGrounding(each)));
	if (counts.some(({ needed }) => needed === 0)) return "";
	const [kept, otherKept] = counts.map((count) => percent(shareOf(count)));
	return ` and kept ${kept === otherKept ? `the same ${kept} of` : `${kept} instead of ${otherKept} of`} ${what}`;
}

function byCost(policies: readonly PolicyReport[]): readonly PolicyReport[] {
	return policies.toSorted((a, b) => chargedCostOf(a) - chargedCostOf(b));
}

const keptOf = ({ grounding }: PolicyReport) => shareOf(totalGrounding(grounding));

/** How much of what keeps most may be lost for a lower price: a share of all needs. */
const TOLERANCE = 0.01;

export type Advice = NonNullable<ReturnType<typeof advise>>;

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
	const costs = others.map(({ policy, name }) => compareCost(chosen, policy, name));
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
