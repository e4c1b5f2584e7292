/**
 * Seams (docs/how-it-decides.md): the requests at which the next piece of work begins. Work that was finished before stands at
 * the end of the context, so evicting it at a seam writes next to nothing to the cache again.
 */

import { sum } from "#basics";
import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode, EpisodeId, Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import { findRegrets } from "../log/regret.ts";
import { retainedEpisodes, type View } from "../log/view.ts";
import { markerText } from "../projection/episode-lines.ts";
import { sumTokens } from "../transcript/transcript.ts";
import { planIndexLines } from "./episode-index.ts";
import { isOpen } from "./evictable.ts";
import { createEpisodeEviction, draftPass, type PassDraft } from "./eviction.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, pays } from "./payoff.ts";
import type { PlanInput } from "./policy.ts";
import { isEvictableUnit, type Unit } from "./units.ts";

/** Returns true if the last answer of the model began an episode of type `expl`: the next request is the first one that it is in. Takes constant time. */
export function isSeam({ episodes, lastExchange }: Graph): boolean {
	const newest = episodes.at(-1);
	const first = newest?.items[0];
	if (!newest || !first) return false;
	return newest.origin === "declared" && newest.kind === "expl" && first.message >= lastExchange;
}

/**
 * The episodes of finished groups, acts before expls, oldest first, as Algorithm 1 orders them. A group is a connected
 * component of declared dependencies. It is finished once all of it is closed and a later expl has begun; an expl that no
 * act declared, once a later act has closed as well.
 */
export function finishedWork(graph: Graph, view: View): readonly Episode[] {
	const { episodes } = graph;
	const declared = episodes.filter(({ origin }) => origin === "declared");
	const newestExpl = declared.findLast(({ kind }) => kind === "expl");
	const lastAct = declared.findLast((episode) => episode.kind === "act" && !isOpen(graph, episode));
	if (!newestExpl) return [];
	const isHeld = (episode: Episode) => {
		const { id, kind, place } = episode;
		return (
			isOpen(graph, episode) ||
			place >= newestExpl.place ||
			(kind === "expl" && !graph.dependents.has(id) && (lastAct?.place ?? -1) < place)
		);
	};
	const held = holdGroups(declared, new Set(declared.filter(isHeld).map(({ id }) => id)));
	const finished = retainedEpisodes(graph, view).filter(
		({ id, origin }) => origin === "declared" && !held.has(id),
	);
	return [
		...finished.filter(({ kind }) => kind === "act"),
		...finished.filter(({ kind }) => kind === "expl"),
	];
}

/** The ids of the held episodes and of all that dependencies connect with them, through others too. */
function holdGroups(episodes: readonly Episode[], held: Set<EpisodeId>): ReadonlySet<EpisodeId> {
	let known = -1;
	while (known < held.size) {
		known = held.size;
		for (const { id, dependencies } of episodes) {
			const group = [id, ...dependencies];
			if (!group.some((each) => held.has(each))) continue;
			for (const each of group) held.add(each);
		}
	}
	return held;
}

/** A pass over finished work, with its figures; undefined if there is none. */
export function planSeamPass(input: PlanInput, policy: string, before: number): Pass | undefined {
	const { graph, view } = input;
	const draft = draftPass(input, before);
	const { visible, eviction, isEvictable } = draft;
	const finished = finishedWork(graph, view).filter(
		({ id, isKept }) => !input.pinned?.has(id) && isKept !== true,
	);
	if (finished.length === 0) return undefined;
	const closer = createEpisodeEviction(draft, { isAtSeam: true });
	for (const episode of visible.episodes) if (eviction.isEvicted(episode.id)) closer.close(episode);
	for (const episode of finished) {
		for (const unit of visible.unitsOf(episode)) {
			const isWork = unit.call.tool !== DELIMITER;
			if (isWork && isEvictableUnit(unit, isEvictable)) eviction.takeUnit(unit);
		}
		closer.close(episode);
	}
	for (const { episode, units } of lastChecks(input, draft, finished)) {
		for (const unit of units) eviction.takeUnit(unit);
		closer.close(episode);
	}
	closer.setLines();
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const chance = chanceOfSecondLook(graph, view);
	const calls = strips.flatMap(({ items }) => items.filter((id) => graph.resultOf.has(id)));
	const tokens = sum(calls, (id) => graph.resultOf.get(id)?.tokens ?? 0);
	const looks = { requests: chance * calls.length, tokens: chance * tokens };
	const decide = (pass: Pass) => decidePass(input, pass, "next work begins", looks);
	const plain = decide(makePass(policy, input, before, eviction.total(), strips));
	const { lines, saved } = planIndexLines(input, strips);
	if (lines.length === 0) return plain;
	// The lines stand at the beginning of the context, so grouping them has everything written again.
	const grouped = decide(makePass(policy, input, before, eviction.total() - saved, strips, lines));
	return pays(input, grouped) ? grouped : plain;
}

/**
 * The unmarked calls that share a message with the end of finished work, such as a last test run, by their episode; without
 * those that a line would not shorten.
 */
function lastChecks(input: PlanInput, draft: PassDraft, finished: readonly Episode[]) {
	const { visible, isEvictable } = draft;
	const ends = new Set(finished.map(({ items }) => items.findLast(({ type }) => type === "call")?.message));
	const isCheck = (unit: Unit) =>
		unit.isWork && ends.has(unit.call.message) && isEvictableUnit(unit, isEvictable);
	return visible.episodes
		.filter(({ origin, state }) => origin === "inferred" && state === "closed")
		.map((episode) => ({ episode, units: visible.unitsOf(episode).filter(isCheck) }))
		.filter(({ episode, units }) => {
			return sumTokens(units) > input.countMarker(markerText(episode));
		});
}

/** Before a session has shown anything, a twentieth of what a seam takes is expected to be looked at again. In tokens. */
const PRIOR = { again: 1_000, taken: 20_000 };

/**
 * Tokens that seams took of this session, and those of them that were looked at again: outputs that were read again, and
 * finished expls that a later act declared. It follows from branch and log alone, so that a resumed session decides as before.
 */
export function seamRecord(graph: Graph, view: View) {
	const taken = sum(view.seams.values());
	if (taken === 0) return { taken, again: 0 };
	const regrets = findRegrets(graph, view).filter(({ pass }) => view.seams.has(pass));
	return { taken, again: sumTokens(regrets) + declaredAfterwards(graph, view) };
}

/** Tokens of the expls that an act declared after a seam had taken them. */
function declaredAfterwards({ episodes, places, history }: Graph, { departures, seams }: View): number {
	const { messageOf } = history.contents();
	let tokens = 0;
	for (const { dependencies, items } of episodes) {
		for (const expl of dependencies.map((id) => episodes[places.get(id) ?? -1])) {
			const departure = expl?.items.map(({ id }) => departures.get(id)).find((known) => known !== undefined);
			if (!expl || !departure || !seams.has(departure.pass)) continue;
			if ((messageOf.get(departure.newest) ?? Infinity) < (items[0]?.message ?? 0)) tokens += expl.tokens;
		}
	}
	return tokens;
}

function chanceOfSecondLook(graph: Graph, view: View): number {
	const { taken, again } = seamRecord(graph, view);
	return Math.min(1, (again + PRIOR.again) / (taken + PRIOR.taken));
}
