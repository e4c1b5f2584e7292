/** Token accounting: every item was counted once when it was seen, so a ledger is a sum, never a recount. */
import { componentOf, type Episode, type Graph } from "../graph/graph.ts";
import { retainedEpisodes, type View } from "../log/view.ts";
import type { Item } from "../transcript/transcript.ts";

/** The fixed cost of a request, in tokens. */
export interface FixedTokens {
	readonly system: number;
	readonly tools: number;
}

/** Tokens of the next request by component; the components add up to `total`. */
export interface Ledger {
	readonly system: number;
	readonly tools: number;
	readonly prologue: number;
	readonly user: number;
	readonly expl: number;
	readonly act: number;
	readonly unannotated: number;
	/** Lines that stand for evicted episodes, one by one or folded. */
	readonly markers: number;
	readonly total: number;
}

/**
 * Tokens of the next request, as `computeLedger` adds them up, from sums that graph and view keep: no matter how long
 * the history is, as long as nobody released anything. The view must speak of no episode that the graph does not hold.
 */
export function totalTokens(graph: Graph, view: View, fixed: FixedTokens): number {
	const released = releasedOf(graph.prologue, view) + releasedOf(graph.userMessages, view);
	const taken = view.removedTokens + view.fadedTokens + released;
	return fixed.system + fixed.tools + graph.tokens - taken + view.markerTokens;
}

/** Computes the tokens that the projection will send, by component. Linear in what is left. */
export function computeLedger(graph: Graph, view: View, fixed: FixedTokens): Ledger {
	const byRank = { act: 0, expl: 0, unannotated: 0 };
	for (const episode of retainedEpisodes(graph, view)) {
		byRank[componentOf(graph, episode)] += leftOf(episode, view);
	}
	const parts = {
		system: fixed.system,
		tools: fixed.tools,
		...keptTokens(graph, view),
		...byRank,
		markers: view.markerTokens,
	};
	return { ...parts, total: Object.values(parts).reduce((sum, tokens) => sum + tokens, 0) };
}

/** Tokens of an episode that the next request sends, its line not counted. */
export function leftOf({ id, items, tokens }: Episode, view: View): number {
	const left = tokens - (view.episodes.get(id)?.removedTokens ?? 0);
	if (view.faded.size === 0) return left;
	return items.reduce((sum, item) => sum - (view.faded.get(item.id)?.tokens ?? 0), left);
}

/** Answers the tokens that an item takes while it is sent: of a faded output, what is left of it. */
export function sentSizes({ callOf }: Graph, { faded }: View): (item: Item) => number {
	if (faded.size === 0) return ({ tokens }) => tokens;
	return ({ id, tokens }) => tokens - (faded.get(callOf.get(id) ?? "")?.tokens ?? 0);
}

/** Tokens that no pass takes: the prologue and user turns, without the parts that the user released. */
export function keptTokens(graph: Graph, view: View): Pick<Ledger, "prologue" | "user"> {
	return {
		prologue: graph.prologueTokens - releasedOf(graph.prologue, view),
		user: graph.userTokens - releasedOf(graph.userMessages, view),
	};
}

/** Tokens that people released of these items; of each at most its own, whatever the log says. */
function releasedOf(items: readonly Item[], { released }: View): number {
	if (released.size === 0) return 0;
	return items.reduce((sum, { id, tokens }) => sum + Math.min(tokens, released.get(id)?.tokens ?? 0), 0);
}

/** User messages above this share of the budget raise an alert. */
const WRITTEN_SHARE = 1 / 3;

/** In tokens. */
export interface Floor {
	/** System prompt, tools, prologue and user turns. */
	readonly tokens: number;
	/** The part that people wrote: none of it is removed without their consent. */
	readonly written: number;
	/** True if `written` alone exceeds a third of the budget. */
	readonly isHeavy: boolean;
}

interface FloorInput {
	readonly graph: Graph;
	readonly view: View;
	readonly fixed: FixedTokens;
	readonly budget: number;
}

/** The floor of the next request, without what was released. Linear in the number of messages of people. */
export function measureFloor({ graph, view, fixed, budget }: FloorInput): Floor {
	const kept = keptTokens(graph, view);
	const notes = graph.prologue.reduce((sum, { type, tokens }) => sum + (type === "user" ? 0 : tokens), 0);
	const written = kept.prologue - notes + kept.user;
	const tokens = fixed.system + fixed.tools + kept.prologue + kept.user;
	return { tokens, written, isHeavy: written > WRITTEN_SHARE * budget };
}
