/**
 * The sentence that a replay begins with: what cwl would have cost and kept, compared with pi's own compaction, or the
 * setting that `--what-if` advises.
 */
import { countOf, formatTokens, policyNames } from "#pi";
import { keptDifference } from "../metrics/comparison.ts";
import { type GroundingCount, totalGrounding } from "../metrics/grounding.ts";
import type { Advice, PolicyReport, Report } from "./report.ts";

/** The sentences of a verdict, in plain words; one that says why, when there is nothing to compare. */
export function describeVerdict({ policies, sessions, budget, advice }: Omit<Report, "verdict">): string {
	const { replayed, pressed } = sessions;
	if (replayed === 0) return "No session was replayed.";
	const own = `your ${countOf(replayed, "session")}`;
	if (pressed === 0) {
		return `${replayed === 1 ? "Your session does not outgrow" : `None of ${own} outgrows`} ${formatTokens(budget)} tokens, so no policy has to evict anything: try a smaller budget.`;
	}
	if (advice) {
		const all = replayed === 1 ? "your session" : own;
		return `For ${all}, set { "cwl": ${advice.setting} }. ${advice.reason}`;
	}
	const where =
		replayed === 1
			? "On your session"
			: `On ${pressed} of ${own} (those that outgrow ${formatTokens(budget)} tokens)`;
	const cwl = policies.find(({ policy }) => policy.startsWith("cwl"));
	const compaction = policies.find(({ policy }) => policy.split(":")[0] === "compaction");
	if (cwl && compaction) return `${where} ${compareTwo(cwl, compaction, "pi's own compaction")}.`;
	const none = policies.find(({ policy }) => policy === "none");
	if (cwl && none) return `${where} ${compareTwo(cwl, none, "no eviction")}.`;
	const [cheapest] = policies.toSorted((a, b) => costOf(a) - costOf(b));
	return `${where} ${cheapest?.policy} costs least; replay cwl and compaction to compare them.`;
}

function compareTwo(own: PolicyReport, other: PolicyReport, name: string): string {
	const difference = costOf(own) / costOf(other) - 1;
	const rounded = Math.round(100 * Math.abs(difference));
	const cost =
		rounded === 0 ? `as much as ${name}` : `${rounded} % ${difference < 0 ? "less" : "more"} than ${name}`;
	return `${own.policy} would have cost ${cost}${compareKept(own.grounding, other.grounding)}`;
}

/** Edits say most: their old text must be there word for word. Sessions without an edit go by all that was needed. */
function compareKept(own: PolicyReport["grounding"], other: PolicyReport["grounding"]): string {
	const hasEdits = own.edit.needed > 0;
	const what = hasEdits ? "the text that later edits needed" : "what later steps needed";
	const [one, two] = [own, other].map((each) => (hasEdits ? each.edit : totalGrounding(each)));
	if (!one?.needed || !two?.needed) return "";
	const [kept, otherKept] = [one, two].map((count) => `${Math.round(100 * shareOf(count))} %`);
	return ` and kept ${kept === otherKept ? `the same ${kept} of` : `${kept} instead of ${otherKept} of`} ${what}`;
}

/** In dollars of the first model asked for; in uncached input tokens of an Anthropic-like price list without one. */
export function costOf({ pressed }: Pick<PolicyReport, "pressed">): number {
	if (!pressed) return 0;
	return Object.values(pressed.dollars)[0] ?? pressed.cost.anthropic;
}

function shareOf({ needed, kept }: GroundingCount): number {
	return needed === 0 ? 0 : kept / needed;
}

/** How much of what keeps most may be lost for a lower price: a share of all needs. */
const TOLERANCE = 0.01;

/**
 * Of the settings that live sessions have, the cheapest that stays within its budget and keeps nearly as many needs as the
 * one that keeps most. Null where the sessions say nothing: none of them outgrows a budget, or no later step needed
 * anything.
 */
export function advise(policies: readonly PolicyReport[]): Advice | null {
	const sound = policies.filter((policy) => settingOf(policy) !== undefined);
	const held = sound.filter(({ pressed }) => pressed?.overBudget === 0);
	const candidates = (held.length > 0 ? held : sound).filter(({ pressed }) => pressed !== null);
	const [best] = candidates.toSorted((a, b) => keptOf(b) - keptOf(a) || costOf(a) - costOf(b));
	if (!best || totalGrounding(best.grounding).needed === 0) return null;
	const byCost = candidates.toSorted((a, b) => costOf(a) - costOf(b));
	const chosen = byCost.find((each) => keptOf(each) >= keptOf(best) - TOLERANCE) ?? best;
	const cheaper = byCost[byCost.indexOf(chosen) - 1];
	const compaction = policies.find(({ policy }) => /^compaction(@|$)/.test(policy));
	const none = policies.find(({ policy }) => policy === "none");
	const costs = [
		...(compaction ? [compareWith(chosen, compaction, "pi's own compaction")] : []),
		...(none ? [compareWith(chosen, none, "no eviction")] : []),
	];
	const kept = `It keeps ${percent(keptOf(chosen))} of what later steps needed${lossText(chosen, best)}`;
	const reason = costs.length === 0 ? kept : `${kept} and costs ${costs.join(", and ")}`;
	const next =
		cheaper &&
		` The next cheaper setting, ${settingOf(cheaper)}, costs ${compareCost(cheaper, chosen)} and keeps ${percent(keptOf(cheaper))}.`;
	const { policy, budget } = chosen;
	return { policy, budget, setting: settingOf(chosen) ?? "", reason: `${reason}.${next ?? ""}` };
}

function keptOf({ grounding }: PolicyReport): number {
	return shareOf(totalGrounding(grounding));
}

/** `12 % less than no eviction, $0.40 a session`. */
function compareWith(own: PolicyReport, other: PolicyReport, name: string): string {
	return `${compareCost(own, other)} than ${name}, ${savingText(own, other)}`;
}

/** `12 % less`. */
function compareCost(own: PolicyReport, other: PolicyReport): string {
	const difference = costOf(own) / costOf(other) - 1;
	return `${Math.round(100 * Math.abs(difference))} % ${difference <= 0 ? "less" : "more"}`;
}

/** Names of the arms, as the setting `lowWater` calls them. */
const lowWaterNames: Readonly<Record<string, string>> = {
	...{ "cwl-economy": "economy", cwl: "balanced", "cwl-quality": "quality" },
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
function savingText(chosen: PolicyReport, other: PolicyReport): string {
	const count = chosen.bySession.filter(({ pressed }) => pressed !== null).length;
	const saved = Math.abs(costOf(other) - costOf(chosen)) / Math.max(1, count);
	const isPriced = Object.keys(chosen.pressed?.dollars ?? {}).length > 0;
	const amount = isPriced
		? `$${saved.toFixed(2)}`
		: `the price of ${formatTokens(Math.round(saved))} uncached input tokens`;
	return `${amount} a session`;
}

function lossText(one: PolicyReport, best: PolicyReport): string {
	if (one === best) return " (the most of all settings)";
	const loss = keptDifference(one.bySession, best.bySession, ({ grounding }) => totalGrounding(grounding));
	if (!loss) return "";
	const points = (share: number) => (-100 * share).toFixed(1);
	const interval =
		loss.low === null || loss.high === null
			? ""
			: `; ${points(loss.high)} to ${points(loss.low)} on other sessions of this kind`;
	return ` (${points(loss.value)} points less than the best setting${interval})`;
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
