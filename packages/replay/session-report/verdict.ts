/** The one sentence that a session's report begins with. */
import { countOf, formatTokens } from "#pi";
import { compareCosts } from "../report/verdict.ts";
import type { CostArm } from "./costs.ts";
import type { SessionReport } from "./session-report.ts";

type Reported = Pick<SessionReport, "budget" | "requests" | "passes" | "compactions" | "costs">;

/** Says what happened, and what it cost compared with pi's own compaction and with no eviction. */
export function describeVerdict({ budget, requests, passes, compactions, costs }: Reported): string {
	if (requests.length === 0) return "No request has been answered yet, so there is nothing to report.";
	const peak = requests.reduce((most, { ledger, input }) => Math.max(most, input || ledger.total), 0);
	const arm = (kind: CostArm["kind"]) => costs.arms.find((each) => each.kind === kind);
	const [cwl, compaction, none] = [arm("cwl"), arm("compaction"), arm("none")];
	const limit = `the budget of ${formatTokens(budget)} tokens`;
	if (passes.length > 0) {
		const held = passes.filter(({ isUndone }) => !isUndone);
		const size = `the largest request had ${formatTokens(peak)}${peak > budget ? `, above ${limit}` : ` of ${limit}`}`;
		const evicted = held.reduce((sum, { before, after }) => sum + before - after, 0);
		return join(
			held.length === 0
				? `You took ${passes.length === 1 ? "the only pass" : `all ${passes.length} passes`} back, and ${size}.`
				: `cwl evicted ${formatTokens(evicted)} tokens in ${countOf(held.length, "pass", "passes")} and ${size}.`,
			compactions.length > 0 ? `Another program compacted the session ${times(compactions.length)}.` : "",
			cwl && compaction && none
				? `In a replay of its steps cwl costs ${compareTo(cwl, compaction, "pi's own compaction")}, and ${compareTo(cwl, none, "no eviction")}.`
				: "",
		);
	}
	const instead = arm("sent") ?? none;
	const would =
		cwl && instead && compaction
			? `In a replay of its steps cwl costs ${compareTo(cwl, instead, "what was sent")} and ${compareTo(cwl, compaction, "pi's own compaction")}, in requests of at most ${formatTokens(cwl.largest)} tokens.`
			: "";
	if (compactions.length > 0) {
		return join(
			`cwl made no pass in this session: another program compacted it ${times(compactions.length)}, and its largest request had ${formatTokens(peak)} tokens.`,
			would,
		);
	}
	if (peak <= budget)
		return `This session never outgrew ${limit}: its largest request had ${formatTokens(peak)}, so nothing had to be evicted.`;
	return join(
		`This session ran without a pass of cwl and without compaction: its largest request had ${formatTokens(peak)} tokens, above ${limit}.`,
		would,
	);
}

const compareTo = (own: CostArm, other: CostArm, name: string): string =>
	compareCosts(own.total, other.total, name);

function times(count: number): string {
	return count === 1 ? "once" : `${count} times`;
}

function join(...sentences: readonly string[]): string {
	return sentences.filter((sentence) => sentence !== "").join(" ");
}
