/** What other budgets and settings would have made of a person's own sessions, and which one to take. */
import { keptDifference } from "../metrics/comparison.ts";
import { totalGrounding } from "../metrics/grounding.ts";
import type { Advice, PolicyReport } from "./report.ts";

/** How much of what keeps most may be lost for a lower price: a share of all needs. */
const TOLERANCE = 0.01;

/**
 * The cheapest setting that keeps nearly as many needs as the one that keeps most and stays within its budget. Null
 * where the sessions say nothing: none of them outgrows a budget, or no later step needed anything.
 */
export function advise(policies: readonly PolicyReport[]): Advice | null {
	const sound = policies.filter(({ policy }) => policy !== "none");
	const held = sound.filter(({ pressed }) => pressed?.overBudget === 0);
	const candidates = (held.length > 0 ? held : sound).filter(({ pressed }) => pressed !== null);
	const [best] = candidates.toSorted((a, b) => keptShare(b) - keptShare(a) || costOf(a) - costOf(b));
	if (!best || totalGrounding(best.grounding).needed === 0) return null;
	const byCost = candidates.toSorted((a, b) => costOf(a) - costOf(b));
	const chosen = byCost.find((each) => keptShare(each) >= keptShare(best) - TOLERANCE) ?? best;
	const cheaper = byCost[byCost.indexOf(chosen) - 1];
	const uncapped = policies.find(({ policy }) => policy === "none");
	const reasons = [
		`it keeps ${percent(keptShare(chosen))} of what later steps needed${lossText(chosen, best)}`,
		uncapped && `costs ${percent(costOf(chosen) / costOf(uncapped))} of an uncapped session`,
		cheaper &&
			`${cheaper.policy}, the next cheaper, costs ${percent(costOf(cheaper) / costOf(chosen))} of that${lossText(cheaper, best)}`,
	];
	const reason = reasons.filter((text) => text !== undefined).join("; ");
	return { policy: chosen.policy, budget: chosen.budget, reason };
}

/** In dollars of the first model asked for; in uncached input tokens of an Anthropic-like price list without one. */
function costOf({ pressed }: PolicyReport): number {
	if (!pressed) return 0;
	return Object.values(pressed.dollars)[0] ?? pressed.cost.anthropic;
}

function keptShare({ grounding }: PolicyReport): number {
	const { needed, kept } = totalGrounding(grounding);
	return needed === 0 ? 0 : kept / needed;
}

function lossText(one: PolicyReport, best: PolicyReport): string {
	if (one === best) return ", the most of all";
	const loss = keptDifference(one.bySession, best.bySession, ({ grounding }) => totalGrounding(grounding));
	if (!loss) return "";
	const interval =
		loss.low === null || loss.high === null ? "" : ` [${points(-loss.high)}, ${points(-loss.low)}]`;
	return ` (${points(-loss.value)} points less than ${best.policy}${interval})`;
}

function points(share: number): string {
	return (100 * share).toFixed(1);
}

function percent(share: number): string {
	return `${(100 * share).toFixed(1)} %`;
}
