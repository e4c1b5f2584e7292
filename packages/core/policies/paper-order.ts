/**
 * The vertices that Algorithm 1 chooses from. Work before the first mark is prologue (4.3), and each stretch of work that no
 * mark covers is one implicit expl, never active, which takes its place by age among the expls (section 5). Adapted, work
 * before the first mark can leave; unmarked work is divided at user turns, by kind and by size, and leaves after every
 * marked expl; the run in progress stays, and without any mark, runs that wrote are acts.
 */
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import { inProgressIn } from "../planning/evictable.ts";
import type { PlanInput } from "../planning/policy.ts";

/** The subject of one iteration of Algorithm 1. */
export interface Target {
	readonly rank: Rank;
	/** One episode, or all runs of an implicit expl. */
	readonly episodes: readonly Episode[];
	/** True for an implicit expl, which has no end: what is past of it can leave before the rest. */
	readonly isImplicit: boolean;
}

type Rank = "act" | "expl" | "unmarked";

const order: readonly Rank[] = ["act", "expl", "unmarked"];

/**
 * Closed targets that no remaining act depends on, in the order of Algorithm 1. An act that cannot leave in this pass
 * holds its expls; every other act has been removed by the time that an expl's turn comes.
 */
export function targetsOf(input: PlanInput, isAdapted: boolean): readonly Target[] {
	const { graph, pinned } = input;
	const isInProgress = inProgressIn(graph);
	const held = new Set<EpisodeId>(pinned);
	for (const episode of graph.episodes) {
		if (episode.kind !== "act") continue;
		if (episode.state === "closed" && !isInProgress(episode) && !pinned?.has(episode.id)) continue;
		for (const dependency of episode.dependencies) held.add(dependency);
	}
	const targets = collectTargets(input, held, isAdapted);
	return order.flatMap((rank) => targets.filter((target) => target.rank === rank));
}

/** Oldest first. */
function collectTargets(
	input: PlanInput,
	held: ReadonlySet<EpisodeId>,
	isAdapted: boolean,
): readonly Target[] {
	const { graph } = input;
	// Only unmarked work is distinguished by its place among the marks.
	const marks = graph.episodes.some(({ origin }) => origin === "inferred") ? placesOfMarks(graph) : [];
	const prologueEnd = isAdapted ? 0 : (marks[0] ?? 0);
	const isImplicit = ({ origin }: Episode) => origin === "inferred" && !isAdapted;
	const isEligible = (episode: Episode) =>
		// An unmarked stretch takes the place of its oldest run, evicted or not.
		(episode.origin === "declared" ? !isEmptied(input, episode) : episode.place >= prologueEnd) &&
		(episode.state === "closed" || isImplicit(episode)) &&
		!held.has(episode.id);
	const targets: Target[] = [];
	const stretches = new Map<number, Episode[]>();
	let passed = 0;
	for (const episode of graph.episodes.filter(isEligible)) {
		// Runs with the same number of marks before them are one stretch.
		while ((marks[passed] ?? Infinity) < episode.place) passed += 1;
		const stretch = isImplicit(episode) ? stretches.get(passed) : undefined;
		if (stretch) {
			stretch.push(episode);
			continue;
		}
		const episodes = [episode];
		if (isImplicit(episode)) stretches.set(passed, episodes);
		targets.push({ rank: rankIn(graph, episode, isAdapted), episodes, isImplicit: isImplicit(episode) });
	}
	return targets;
}

/** Places of the marked episodes, in order. */
function placesOfMarks({ episodes }: Graph): readonly number[] {
	return episodes.filter(({ origin }) => origin === "declared").map(({ place }) => place);
}

/** Returns true if nothing is left of an episode that the model marked, but a line. */
function isEmptied({ view }: Pick<PlanInput, "view">, episode: Episode): boolean {
	const account = view.episodes.get(episode.id);
	return account?.level === 4 && account.removedTokens === episode.tokens;
}

function rankIn({ annotated }: Graph, { kind, origin }: Episode, isAdapted: boolean): Rank {
	if (origin === "declared") return kind;
	if (!isAdapted) return "expl";
	return annotated ? "unmarked" : kind;
}
