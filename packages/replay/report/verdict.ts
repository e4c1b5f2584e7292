/** The sentences that a replay begins with. */
import { countOf, formatTokens, percent } from "#basics";
import { totalGrounding } from "../metrics/grounding.ts";
import { chargedCostOf, costOf, type Figures, type PolicyReport, shareOf } from "./figures.ts";
import { drawSessions, intervalOf, projectOf } from "./intervals.ts";

/** The sentences of a verdict, in plain words; one that says why, when there is nothing to compare. */
export function describeVerdict(
	figures: Pick<Figures, "policies" | "sessions" | "budget">,
	advice: {
		readonly isDefault: boolean;
		readonly setting: string;
		readonly reason: string;
	} | null,
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
	const where =
		replayed === 1
			? `On this session, once it outgrows ${limit},`
			: `On ${pressed} of ${own}, once they outgrow ${limit},`;
	const cwl = policies.find(({ policy }) => policy.startsWith("cwl"));
	const [other] = baselines(policies);
	if (cwl && other) {
		const kept = compareKept(cwl.grounding, other.policy.grounding);
		const cost = compareTo(costOf(cwl.pressed), costOf(other.policy.pressed), other.name);
		return `${where} ${cwl.policy} would have cost ${cost}${kept}.${describeDoubt(cwl, other)}`;
	}
	const [cheapest] = byCost(policies);
	return `${where} ${cheapest?.policy} costs least; replay cwl and compaction to compare them.`;
}

/** Says that a difference in cost is none, where drawing other sessions could turn it around; empty otherwise. */
function describeDoubt(own: PolicyReport, other: ReturnType<typeof baselines>[number]): string {
	// Both costs are those of the same draws of sessions.
	const draws = drawSessions(own.bySession.map(({ session }) => projectOf(session)));
	const costIn = (policy: PolicyReport) => (index: number) =>
		costOf(policy.bySession[index]?.pressed ?? null);
	const [low, high] = intervalOf(draws, (sum) => sum(costIn(own)) / sum(costIn(other.policy))) ?? [];
	if (low === undefined || high === undefined || low > 1 || high < 1) return "";
	return ` That is no difference in cost: other sessions of this kind would cost ${percent(low)} to ${percent(high)} of ${other.name}.`;
}

/** The choices of a pi user without cwl, the nearest first; a compaction that was never made is no choice. */
export function baselines(policies: readonly PolicyReport[]) {
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

/** Edits say most: their old text must be there word for word. Sessions without an edit go by all that was needed. */
function compareKept(own: PolicyReport["grounding"], other: PolicyReport["grounding"]): string {
	const hasEdits = own.edit.needed > 0;
	const what = hasEdits ? "the text that later edits needed" : "what later steps needed";
	const counts = [own, other].map((each) => (hasEdits ? each.edit : totalGrounding(each)));
	if (counts.some(({ needed }) => needed === 0)) return "";
	const [kept, otherKept] = counts.map((count) => percent(shareOf(count)));
	return ` and kept ${kept === otherKept ? `the same ${kept} of` : `${kept} instead of ${otherKept} of`} ${what}`;
}

export function byCost(policies: readonly PolicyReport[]): readonly PolicyReport[] {
	return policies.toSorted((a, b) => chargedCostOf(a) - chargedCostOf(b));
}
