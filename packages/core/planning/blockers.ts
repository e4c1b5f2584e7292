/** Names what keeps a context above its budget once no content can be evicted safely (paper 4.4, principle 3). */

import type { Episode } from "../graph/graph.ts";
import { computeLedger } from "../ledger/ledger.ts";
import type { Blocker } from "../log/blocker.ts";
import type { Strip } from "../log/pass.ts";
import type { PlanInput } from "./plan.ts";
import { protectedEpisodes } from "./protected-episodes.ts";

type BlockerInput = Pick<PlanInput, "graph" | "view" | "fixed" | "pinned">;

/** The blockers of a context of `after` tokens, largest first; together they account for every one of these tokens. */
export function findBlockers(
	input: BlockerInput,
	strips: readonly Strip[],
	after: number,
): readonly Blocker[] {
	const { graph, view, fixed } = input;
	const ledger = computeLedger(graph, view, fixed);
	const taken = new Map<string, number>();
	for (const { episode, tokens } of strips) taken.set(episode, (taken.get(episode) ?? 0) + tokens);
	const left = ({ id, tokens }: Episode) =>
		tokens - (view.episodes.get(id)?.removedTokens ?? 0) - (taken.get(id) ?? 0);
	const named: readonly Blocker[] = [
		{ code: "fixed", tokens: ledger.system + ledger.tools },
		{ code: "prologue", tokens: ledger.prologue },
		{ code: "user-turns", tokens: ledger.user },
		...graph.episodes
			.filter(({ state }) => state === "open")
			.map((episode): Blocker => {
				const { name, origin } = episode;
				return { code: "open-episode", episode: name, origin, tokens: left(episode) };
			}),
		...findPinned(input, left),
	];
	const rest = after - named.reduce((sum, { tokens }) => sum + tokens, 0);
	const blockers: readonly Blocker[] = [...named, { code: "in-use", tokens: rest }];
	return blockers.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens);
}

/** All pinned episodes in one blocker, since each of them may be small. */
function findPinned(input: BlockerInput, left: (episode: Episode) => number): readonly Blocker[] {
	const kept = protectedEpisodes(input);
	const pinned = input.graph.episodes
		.filter(({ id, state }) => state === "closed" && kept.has(id))
		.toSorted((a, b) => left(b) - left(a));
	const [largest] = pinned;
	if (!largest) return [];
	const tokens = pinned.reduce((sum, episode) => sum + left(episode), 0);
	return [{ code: "pinned-episodes", count: pinned.length, largest: largest.name, tokens }];
}
