/** The sentences that the report of a session begins with. */
import { countOf, formatTokens, sum } from "#basics";
import { compareTo } from "../report/verdict.ts";
import { type CostArm, formatCost } from "./costs.ts";
import type { MeasuredSession } from "./measure-session.ts";
import type { PassRow } from "./rows.ts";

type Request = MeasuredSession["requests"][number];

/** Says which branch this is of several, what happened, what it cost, and what the provider counted that the messages do not explain. */
export function describeVerdict(measured: MeasuredSession): string {
	const { branch, costs } = measured;
	const which = costs.otherCalls.elsewhere > 0 ? `This is ${branch}.` : "";
	return join(which, describeCourse(measured), describeUnexplained(measured));
}

/** Usage that the messages in the file do not explain has a sentence of its own: no size of the others compares with it. */
function describeUnexplained({ requests, scale }: MeasuredSession): string {
	const reported = Math.max(0, ...requests.map(({ input }) => input));
	if (scale || reported === 0) return "";
	return `The provider counted up to ${formatTokens(reported)}, which the messages in the file do not explain: every other size is counted with o200k.`;
}

/** Says what happened, and what it cost compared with pi's own compaction and with no eviction: every figure is in the table of costs. */
function describeCourse(measured: MeasuredSession): string {
	const { budget, requests, passes, compactions, costs } = measured;
	const [largest] = requests.toSorted((a, b) => b.ledger.total - a.ledger.total);
	if (!largest) return "No request has been answered yet, so there is nothing to report.";
	const peak = largest.ledger.total;
	const size = `largest request had ${formatTokens(peak)}${describeLimit(measured, largest)}`;
	const compacted = compactions.length > 0 ? `It was compacted ${times(compactions.length)} too.` : "";
	if (passes.length > 0) {
		const held = passes.filter(({ isUndone }) => !isUndone);
		const evicted = sum(held, ({ before, after }) => before - after);
		return join(
			held.length === 0
				? `You took ${passes.length === 1 ? "the only pass" : `all ${passes.length} passes`} back, and the ${size}.`
				: `cwl evicted ${formatTokens(evicted)} tokens in ${countOf(held.length, "pass", "passes")} and the ${size}.`,
			compacted,
			describeCost(costs, budget),
		);
	}
	if (compactions.length === 0 && peak <= budget)
		return `The ${size}: at a budget of ${formatTokens(budget)} tokens nothing has to be evicted.`;
	const what =
		compactions.length > 0
			? `cwl made no pass in this session: it was compacted ${times(compactions.length)}, and`
			: "This session ran without a pass of cwl and without compaction:";
	return join(`${what} its ${size}.`, describeReplay(costs, budget));
}

/**
 * Says where a request was against the budget of its time, which only passes keep: the one that the last pass until then and the next
 * pass had in common, or the budget of now. No budget holds while cwl is off.
 */
function describeLimit({ budget: now, requests, passes }: MeasuredSession, request: Request): string {
	if (!request.isManaged) return " tokens, while cwl was off (`/cwl off`)";
	const number = requests.indexOf(request) + 1;
	const isBefore = (pass: PassRow) => pass.request !== null && pass.request <= number;
	const budget = passes.findLast(isBefore)?.budget;
	const next = passes.find((pass) => !isBefore(pass))?.budget ?? now;
	if (budget === undefined || formatTokens(budget) !== formatTokens(next)) return " tokens";
	const above = request.ledger.total - budget;
	const place = above > 0 ? `, ${formatTokens(above)} above` : " of";
	return `${place} the budget of ${formatTokens(budget)} tokens`;
}

/** Says what the session cost. */
function describeCost({ arms, unit, otherCalls }: MeasuredSession["costs"], budget: number): string {
	const [session] = arms;
	if (!session) return "";
	const prices = unit.replace(/^dollars /, "");
	const { elsewhere } = otherCalls;
	const here =
		elsewhere > 0
			? ` (${formatCost(session.total - elsewhere)} of it on this branch; what it is compared with has the rest too)`
			: "";
	return `The session cost ${formatCost(session.total)}${here} ${prices}: ${compareWith(arms, session, budget, ["compaction", "none"])}.`;
}

/** Says what the session would have cost under cwl. */
function describeReplay({ arms }: MeasuredSession["costs"], budget: number): string {
	const cwl = arms.find(({ kind }) => kind === "cwl");
	if (!cwl) return "";
	const size = `in requests of at most ${formatTokens(cwl.largest)} tokens`;
	return `In a replay of its steps cwl costs ${compareWith(arms, cwl, budget, ["compaction", "session"])}, ${size}.`;
}

const armNames = {
	session: "what was sent",
	compaction: "pi's own compaction",
	none: "no eviction",
} as const;

/** A replay in which compaction never happened is no comparison. */
function compareWith(
	arms: readonly CostArm[],
	own: CostArm,
	budget: number,
	others: readonly (keyof typeof armNames)[],
): string {
	const compared = others.flatMap((kind) => {
		const other = arms.find((arm) => arm.kind === kind);
		if (!other || (kind === "compaction" && other.summaries.count === 0)) return [];
		const at = kind === "compaction" ? ` at ${formatTokens(budget)}` : "";
		return [compareTo(own.total, other.total, `${armNames[kind]}${at}`)];
	});
	return compared.join(" and ");
}

function times(count: number): string {
	return count === 1 ? "once" : `${count} times`;
}

function join(...sentences: readonly string[]): string {
	return sentences.filter((sentence) => sentence !== "").join(" ");
}
