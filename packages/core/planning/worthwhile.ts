/**
 * A pass costs a prefix break, a log entry and the time to plan it, so one that frees next to nothing is not made. The
 * request then goes over its budget by less than the pass would free, and the blockers are named.
 */
import type { PlanInput } from "./policy.ts";

/** The least that a pass frees, as a share of the budget. */
const MIN_FREED = 0.01;
/** The same for a pass that nothing demands: small ones fill the log of a session with many short turns. */
const MIN_FREED_EARLY = 0.05;
/** The same where the context stays over its budget anyway, so that waiting for more breaks no budget. */
const MIN_FREED_OVER_BUDGET = 0.05;

/** Returns true if a pass from `before` down to `after` tokens frees enough. With a cold cache it breaks no prefix. */
export function isWorthwhile(
	{ budget, isCold = false }: Pick<PlanInput, "budget" | "isCold">,
	before: number,
	after: number,
): boolean {
	const least = after > budget && !isCold ? MIN_FREED_OVER_BUDGET : MIN_FREED;
	return before > after && before - after >= least * budget;
}

/** Returns true if a pass that nothing demands frees enough. */
export function isWorthwhileEarly(
	{ budget }: Pick<PlanInput, "budget">,
	before: number,
	after: number,
): boolean {
	return before - after >= MIN_FREED_EARLY * budget;
}

/** Returns true if nothing came since the last pass: what that one left was all that it could or should take. */
export function wasJustMade({ view, graph }: Pick<PlanInput, "view" | "graph">): boolean {
	return view.lastPassAt !== undefined && view.lastPassAt === graph.history.newest;
}
