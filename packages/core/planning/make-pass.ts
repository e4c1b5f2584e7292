/** The last step of every plan: from the strips to the pass that the log keeps, with the blockers where it missed its budget (paper 4.4, principle 3). */
import { sum } from "#basics";
import { type Episode, type EpisodeId, type Graph, openEpisodes } from "../graph/graph.ts";
import { keptTokens, leftOf } from "../ledger/ledger.ts";
import type { Blocker, IndexLine, Pass, Strip } from "../log/pass.ts";
import { retainedEpisodes } from "../log/view.ts";
import { type Item, sumTokens } from "../transcript/transcript.ts";
import { pinnedTokens } from "./evictable.ts";
import type { PlanInput } from "./policy.ts";

/** Assembles a pass from its strips; names the blockers if it missed the budget. */
export function makePass(
	policy: string,
	input: PlanInput,
	before: number,
	after: number,
	strips: readonly Strip[],
	indexLines: readonly IndexLine[] = [],
): Pass {
	const { budget } = input;
	const blockers = after > budget ? findBlockers(input, strips, after) : [];
	const parts = { strips, ...(indexLines.length > 0 && { indexLines }) };
	return newPass(input, policy, { before, after }, parts, blockers);
}

/** A pass with its sizes and with what it takes; the last item of the session dates it. */
export function newPass(
	{ graph, budget, model }: Pick<PlanInput, "graph" | "budget" | "model">,
	policy: string,
	sizes: Pick<Pass, "before" | "after">,
	parts: Pick<Pass, "strips" | "indexLines" | "reductions" | "releases" | "forfeited">,
	blockers: readonly Blocker[] = [],
): Pass {
	const made = { ...(model && { model }), ...newestOf({ graph }) };
	return { version: 1, policy, budget, ...sizes, ...parts, blockers, ...made };
}

/** The last item of the session, which dates a pass. */
export function newestOf({ graph }: { readonly graph: Graph }): Pick<Pass, "newest"> {
	const { newest } = graph.history;
	return newest === undefined ? {} : { newest };
}

type BlockerInput = Pick<PlanInput, "graph" | "view" | "fixed" | "pinned">;

/**
 * The blockers of a context of `after` tokens, largest first; together they account for every one of these tokens.
 * Linear in the number of episodes.
 */
export function findBlockers(
	input: BlockerInput,
	strips: readonly Strip[],
	after: number,
): readonly Blocker[] {
	const { graph, view, fixed } = input;
	const kept = keptTokens(graph, view);
	const named: readonly Blocker[] = [
		{ code: "fixed", tokens: fixed.system + fixed.tools },
		{ code: "prologue", tokens: kept.prologue },
		{ code: "user-turns", tokens: kept.user },
		...blockingEpisodes(input, strips),
	];
	const rest = after - sumTokens(named);
	const blockers: readonly Blocker[] = [...named, { code: "in-use", tokens: rest }];
	return blockers.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens);
}

/** Each episode counts once, by the first of the reasons: it is open, pinned, needed by an open act, in progress. */
function blockingEpisodes(input: BlockerInput, strips: readonly Strip[]): readonly Blocker[] {
	const { graph, view } = input;
	const stripped = new Set(strips.flatMap(({ items }) => items));
	const isGone = ({ id }: Item) => stripped.has(id) || view.removed.has(id);
	const taken = new Map<string, number>();
	for (const { episode, items, tokens } of strips) {
		const sent = tokens - sum(items, (id) => view.reduced.get(id)?.tokens ?? 0);
		taken.set(episode, (taken.get(episode) ?? 0) + sent);
	}
	const left = (episode: Episode) => leftOf(episode, view) - (taken.get(episode.id) ?? 0);
	const needed = neededByOpenActs(graph);
	const blockers: Blocker[] = [];
	const dependencies = new Map<string, number>();
	let exchange = 0;
	for (const episode of retainedEpisodes(graph, view)) {
		const { id, name, origin, state } = episode;
		const act = needed.get(id);
		if (state === "open") {
			blockers.push({ code: "open-episode", episode: name, origin, tokens: left(episode) });
		} else if (input.pinned?.has(id)) {
			// Counted below.
		} else if (act !== undefined) {
			dependencies.set(act, (dependencies.get(act) ?? 0) + left(episode));
		} else {
			// A pass takes nothing of them but thinking that it makes invalid.
			exchange += sumTokens(
				episode.items.filter((item) => item.message >= graph.lastExchange && !isGone(item)),
			);
		}
	}
	for (const [act, tokens] of dependencies) blockers.push({ code: "dependencies", act, tokens });
	const { count, tokens, largest } = pinnedTokens(input, taken);
	blockers.push({ code: "pinned-episodes", count, largest: largest.name, tokens });
	return [...blockers, { code: "exchange", tokens: exchange }];
}

/** The names of open acts, by the ids of the episodes that they declared. */
function neededByOpenActs(graph: Graph): ReadonlyMap<EpisodeId, string> {
	return new Map(
		openEpisodes(graph).flatMap(({ name, dependencies }) => dependencies.map((id) => [id, name] as const)),
	);
}
