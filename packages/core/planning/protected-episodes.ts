/** The episodes that the user pinned. No policy touches them; if they keep a pass from its target, it names them. */
import { type EpisodeId, openEpisodes } from "../graph/graph.ts";
import { leftOf } from "../ledger/ledger.ts";
import type { Item } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

/**
 * Ids of the pinned episodes, and of episodes with a call that a result in a pinned one answers (call ids may repeat):
 * providers refuse a result without its call. Ids of episodes that are wholly evicted may be among them.
 */
export function protectedEpisodes({ graph, view, pinned }: PinnedInput): ReadonlySet<EpisodeId> {
	if (!pinned || pinned.size === 0) return new Set();
	if (graph.strayResults === 0) return pinned;
	const isStray = (item: Item) => item.type === "result" && !graph.callOf.has(item.id);
	const wanted = new Set<string>();
	const left = graph.episodes.filter(({ id, tokens }) => tokens !== view.episodes.get(id)?.removedTokens);
	for (const { id, items } of left) {
		if (!pinned.has(id)) continue;
		for (const item of items) if (item.type === "result" && isStray(item)) wanted.add(item.callId);
	}
	const isWanted = (item: Item) => item.type === "call" && wanted.has(item.callId);
	const kept = left.filter(({ id, items }) => pinned.has(id) || items.some(isWanted));
	return new Set(kept.map(({ id }) => id));
}

type PinnedInput = Pick<PlanInput, "graph" | "view" | "pinned">;

/** The closed pinned episodes that something is left of. Sizes in tokens. */
export interface PinnedTokens {
	readonly count: number;
	readonly tokens: number;
	readonly largest: { readonly name: string; readonly tokens: number };
}

/**
 * Measures the closed pinned episodes. `taken` holds the tokens that a pass in the making takes from episodes: thinking
 * can leave pinned ones too.
 */
export function pinnedTokens(
	input: PinnedInput,
	taken: ReadonlyMap<EpisodeId, number> = new Map(),
): PinnedTokens {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	let [count, tokens] = [0, 0];
	let largest: PinnedTokens["largest"] = { name: "", tokens: 0 };
	for (const episode of kept.size > 0 ? graph.episodes : []) {
		if (!kept.has(episode.id) || episode.state === "open") continue;
		const left = leftOf(episode, view) - (taken.get(episode.id) ?? 0);
		if (left === 0) continue;
		count += 1;
		tokens += left;
		if (left > largest.tokens) largest = { name: episode.name, tokens: left };
	}
	return { count, tokens, largest };
}

/** Tokens of open episodes that are pinned. */
export function openPinnedTokens(input: PinnedInput): number {
	const { graph, view } = input;
	const kept = protectedEpisodes(input);
	let sum = 0;
	for (const episode of openEpisodes(graph)) if (kept.has(episode.id)) sum += leftOf(episode, view);
	return sum;
}
