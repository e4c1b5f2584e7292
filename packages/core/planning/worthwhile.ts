/**
 * A pass costs a prefix break, a log entry and the time to plan it, so one that frees next to nothing is not made. The
 * request then goes over its budget by less than the pass would free, and the blockers are named.
 */
import { MAX_LINES_SHARE } from "./episode-index.ts";
import { openPinnedTokens, pinnedTokens } from "./evictable.ts";
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

/**
 * The most that a pass can free, in tokens: what episodes still send without pins and the exchange in progress, and the
 * lines once they are so many that a pass groups them. Takes the same time however long the history is; with pins,
 * time in proportion to the episodes.
 */
export function mostEvictable(input: PlanInput): number {
	const { graph, view, budget } = input;
	const sent = graph.tokens - graph.prologueTokens - graph.userTokens - view.removedTokens - view.fadedTokens;
	let inProgress = 0;
	for (const { items } of graph.messages.slice(Math.max(0, graph.lastExchange))) {
		for (const { type, tokens } of items) if (type !== "user") inProgress += tokens;
	}
	const lines = view.markerTokens > MAX_LINES_SHARE * budget ? view.markerTokens : 0;
	const pinned = pinnedTokens(input).tokens + openPinnedTokens(input);
	return sent - Math.max(inProgress, pinned) + lines;
}
