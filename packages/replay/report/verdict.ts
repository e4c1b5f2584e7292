/** The one sentence that a replay begins with: what cwl would have cost and kept, compared with pi's own compaction. */
import { countOf, formatTokens } from "#pi";
import { type GroundingCount, totalGrounding } from "../metrics/grounding.ts";
import type { PolicyReport, Report } from "./report.ts";

/** The policy that a user of pi has without cwl. */
const STATUS_QUO = "compaction";

/** The sentences of a verdict, in plain words; one that says why, when there is nothing to compare. */
export function describeVerdict({ policies, sessions, budget, advice }: Omit<Report, "verdict">): string {
	const { replayed, pressed } = sessions;
	if (replayed === 0) return "No session was replayed.";
	const own = `your ${countOf(replayed, "session")}`;
	if (pressed === 0) {
		return `${replayed === 1 ? "Your session does not outgrow" : `None of ${own} outgrows`} ${formatTokens(budget)} tokens, so no policy has to evict anything: try a smaller budget.`;
	}
	if (advice) {
		const sessions = replayed === 1 ? "your session" : own;
		return `For ${sessions}, set { "cwl": ${advice.setting} }. ${advice.reason}`;
	}
	const where =
		replayed === 1
			? "On your session"
			: `On ${pressed} of ${own} (those that outgrow ${formatTokens(budget)} tokens)`;
	const cwl = policies.find(({ policy }) => policy.startsWith("cwl"));
	const quo = policies.find(({ policy }) => policy.split(":")[0] === STATUS_QUO);
	if (cwl && quo) return `${where} ${compareTwo(cwl, quo, "pi's own compaction")}.`;
	const none = policies.find(({ policy }) => policy === "none");
	if (cwl && none) return `${where} ${compareTwo(cwl, none, "no eviction")}.`;
	const [cheapest] = policies.toSorted((a, b) => costOf(a) - costOf(b));
	return `${where} ${cheapest?.policy} costs least; replay cwl and compaction to compare them.`;
}

function compareTwo(own: PolicyReport, other: PolicyReport, name: string): string {
	const difference = costOf(own) / costOf(other) - 1;
	const percent = Math.round(100 * Math.abs(difference));
	const cost =
		percent === 0 ? `as much as ${name}` : `${percent} % ${difference < 0 ? "less" : "more"} than ${name}`;
	const [kept, what] = neededOf(own);
	const [otherKept] = neededOf(other);
	const held =
		kept === undefined || otherKept === undefined ? "" : ` and kept ${describeKept(kept, otherKept)} ${what}`;
	return `${own.policy} would have cost ${cost}${held}`;
}

function describeKept(kept: number, otherKept: number): string {
	const [own, other] = [kept, otherKept].map((share) => `${Math.round(100 * share)} %`);
	return own === other ? `the same ${own} of` : `${own} instead of ${other} of`;
}

/** Edits say most: their old text must be there word for word. Sessions without an edit go by all that was needed. */
function neededOf({ grounding }: PolicyReport): readonly [share: number | undefined, what: string] {
	if (grounding.edit.needed > 0) return [shareOf(grounding.edit), "the text that later edits needed"];
	return [shareOf(totalGrounding(grounding)), "what later steps needed"];
}

function shareOf({ needed, kept }: GroundingCount): number | undefined {
	return needed === 0 ? undefined : kept / needed;
}

/** In dollars of the first model asked for; in uncached input tokens of an Anthropic-like price list without one. */
export function costOf({ pressed }: Pick<PolicyReport, "pressed">): number {
	if (!pressed) return 0;
	return Object.values(pressed.dollars)[0] ?? pressed.cost.anthropic;
}
