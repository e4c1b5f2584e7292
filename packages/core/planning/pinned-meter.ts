/** The tokens of pinned episodes, counted once and continued from request to request. */
import { type EpisodeId, openEpisodes } from "../graph/graph.ts";
import { leftOf } from "../ledger/ledger.ts";
import type { PlanInput } from "./policy.ts";
import { protectedEpisodes } from "./protected-episodes.ts";

/** The closed pinned episodes that something is left of. Sizes in tokens. */
export interface PinnedTokens {
	readonly count: number;
	readonly tokens: number;
	readonly largest: { readonly name: string; readonly tokens: number };
}

/** Tokens by episode. */
type Taken = ReadonlyMap<EpisodeId, number>;

export type PinnedInput = Pick<PlanInput, "graph" | "view" | "pinned" | "measurePinned">;

const nothing: PinnedTokens = { count: 0, tokens: 0, largest: { name: "", tokens: 0 } };

/**
 * Measures the closed pinned episodes: all of them, or by the meter of the session those that are new. `taken` is what a
 * pass in the making takes from episodes: thinking can leave pinned ones too.
 */
export function pinnedTokens(input: PinnedInput, taken: Taken = new Map()): PinnedTokens {
	const { pinned, measurePinned } = input;
	if (!pinned || pinned.size === 0) return nothing;
	const isTouched = [...taken.keys()].some((id) => pinned.has(id));
	if (measurePinned && isOrderly(input) && !isTouched) return measurePinned(input);
	return addPinned(nothing, input, 0, taken).pinned;
}

/** The tokens of open episodes that are pinned. */
export function openPinnedTokens(input: PinnedInput): number {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	let sum = 0;
	for (const episode of openEpisodes(graph)) if (kept.has(episode.id)) sum += leftOf(episode, view);
	return sum;
}

/** Returns true if no result came late or for nothing: what is closed then grows no more, and no call id is used twice. */
export function isOrderly({ graph }: Pick<PinnedInput, "graph">): boolean {
	return graph.strayResults === 0 && graph.lateResults === 0;
}

/**
 * A meter for one session. It looks at each episode once, until a pass is made, other episodes are pinned, or the graph is
 * another one.
 */
export function createPinnedMeter(): (input: PinnedInput) => PinnedTokens {
	let seen: readonly unknown[] = [];
	let counted: Counted = { pinned: nothing, next: 0 };
	return (input) => {
		const { graph, view, pinned } = input;
		// A graph that lets go of evicted episodes has another list of them from then on.
		const situation = [graph.episodes, pinned, pinned?.size, view, view.passes];
		if (situation.some((part, index) => part !== seen[index])) counted = { pinned: nothing, next: 0 };
		counted = addPinned(counted.pinned, input, counted.next);
		seen = situation;
		return counted.pinned;
	};
}

interface Counted {
	readonly pinned: PinnedTokens;
	/** The first episode that was still open. */
	readonly next: number;
}

function addPinned(sum: PinnedTokens, input: PinnedInput, start: number, taken: Taken = new Map()): Counted {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	let { count, tokens, largest } = sum;
	let index = start;
	for (; index < graph.episodes.length; index += 1) {
		const episode = graph.episodes[index];
		if (!episode || episode.state === "open") break;
		if (!kept.has(episode.id)) continue;
		const left = leftOf(episode, view) - (taken.get(episode.id) ?? 0);
		if (left === 0) continue;
		count += 1;
		tokens += left;
		if (left > largest.tokens) largest = { name: episode.name, tokens: left };
	}
	return { pinned: { count, tokens, largest }, next: index };
}
