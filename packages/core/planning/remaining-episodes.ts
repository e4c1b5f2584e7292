/** The episodes that Algorithm 1 still has to look at, kept from request to request: lines of evicted ones pile up. */
import type { Episode } from "../graph/graph.ts";
import { inProgressIn } from "./evictable.ts";
import { isOrderly } from "./pinned-meter.ts";
import type { PlanInput } from "./policy.ts";

export type RemainingInput = Pick<PlanInput, "graph" | "view" | "pinned" | "findRemaining">;

/** Returns true if nothing is left of an episode that the model marked, but a line. */
export function isEmptied({ view }: Pick<RemainingInput, "view">, episode: Episode): boolean {
	const account = view.episodes.get(episode.id);
	return account?.level === 4 && account.removedTokens === episode.tokens && episode.origin === "declared";
}

/** The episodes of the graph, in order, without such as no plan takes or waits for any more where the session knows them. */
export function remainingEpisodes(input: RemainingInput): readonly Episode[] {
	const { graph, pinned, findRemaining } = input;
	// A pinned act holds its expls also when it is empty.
	const isSimple = isOrderly(input) && (pinned === undefined || pinned.size === 0);
	return (isSimple && findRemaining?.(input)) || graph.episodes;
}

/** Finds them for one session: looks at each episode that is closed and empty once, as long as the graph stays the same. */
export function createRemaining(): (input: RemainingInput) => readonly Episode[] {
	let seen: Pick<RemainingInput, "graph" | "view"> | undefined;
	let closed: readonly Episode[] = [];
	/** The place in the session of the first episode that is not known to be closed. */
	let next = 0;
	return (input) => {
		const { graph, view } = input;
		if (seen?.graph !== graph || seen.view !== view) [closed, next] = [[], 0];
		seen = { graph, view };
		const rest = graph.episodes.slice(graph.episodes.findLastIndex(({ place }) => place < next) + 1);
		const open = rest.findIndex(({ state }) => state === "open");
		const added = open < 0 ? rest : rest.slice(0, open);
		const last = added.at(-1);
		if (last) next = last.place + 1;
		const isInProgress = inProgressIn(graph);
		closed = [...closed, ...added].filter(
			(episode) => !graph.evicted.has(episode.id) && (!isEmptied(input, episode) || isInProgress(episode)),
		);
		return [...closed, ...rest.slice(added.length)];
	};
}
