/** Episodes that a person keeps. Policies leave them alone; what they then cannot reach is named as a blocker. */
import type { EpisodeId } from "../graph/graph.ts";
import type { Item } from "../transcript/transcript.ts";
import type { PlanInput, Policy } from "./plan.ts";

/**
 * The ids of what no pass may touch: the pinned episodes of which anything is left, and those with a call that a result
 * in one of them needs (an id that came twice). Providers refuse a result without its call.
 */
export function keptEpisodes({
	graph,
	view,
	pinned,
}: Pick<PlanInput, "graph" | "view" | "pinned">): ReadonlySet<EpisodeId> {
	if (!pinned || pinned.size === 0) return new Set();
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

/**
 * The policy, sparing these episodes as long as the budget can be met without them: what a person has just brought
 * back does not leave with the very next pass.
 */
export function sparing(policy: Policy, spared: ReadonlySet<EpisodeId>): Policy {
	if (spared.size === 0) return policy;
	const keep = (input: PlanInput) => ({ ...input, pinned: new Set([...(input.pinned ?? []), ...spared]) });
	return {
		...policy,
		plan(input) {
			const pass = policy.plan(keep(input));
			return pass && pass.after > input.budget ? policy.plan(input) : pass;
		},
	};
}
