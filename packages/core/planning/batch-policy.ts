/**
 * The engine under every policy that works in batches: one pass from above the budget down to low water, so that the
 * provider's cache is rewritten less often. A policy brings the score; what a pass takes in which order, and what it
 * spares, is decided here, whatever the score says: old reasoning, then calls and episodes of words alone by rising
 * score. Only when the budget would break: outputs of open episodes, then the hot tail, failed calls and words, and what
 * the model marked to keep at the very end.
 */

import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode } from "../graph/graph.ts";
import { timelineOf } from "../graph/history.ts";
import { componentIn, type ItemComponent, measureFloor, totalTokens } from "../ledger/ledger.ts";
import type { Decision, Pass } from "../log/pass.ts";
import type { Item } from "../transcript/transcript.ts";
import { planIndexLines } from "./episode-index.ts";
import { isInHand } from "./evictable.ts";
import { createEpisodeEviction, draftPass, type Eviction, levelOf } from "./eviction.ts";
import { limitsOf } from "./limits.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, isWorthwhile, mostEvictable, mostLeft } from "./payoff.ts";
import type { PlanInput, Policy } from "./policy.ts";
import {
	type Candidate,
	type CreateScore,
	episodesOfWords,
	isEvictableUnit,
	type Scene,
	type Score,
	type Unit,
} from "./units.ts";

/** The hot tail, as a share of what the prologue and user turns leave of the budget. */
const TAIL_SHARE = 0.1;

/** The part of a policy that differs from its siblings. */
export interface BatchOrder {
	/** Called once a pass. */
	readonly createScore: CreateScore;
	/** Sets lines in place of what the pass took; the context stays within the budget. */
	readonly addLines?: (scene: Scene, eviction: Eviction) => void;
}

/** A policy that evicts in batches, by rising score. */
export function batchPolicy(name: string, order: BatchOrder): Policy {
	return {
		name,
		limits: limitsOf,
		plan(input) {
			const { budget, isCold, lowWaterTokens } = input;
			const before = totalTokens(input);
			if (before <= budget && !isCold && lowWaterTokens === undefined) return undefined;
			const { lowWater } = limitsOf(input);
			if (before <= lowWater && !input.relief) return undefined;
			if (isWorthwhile(input, before, before - mostEvictable(input))) {
				const pass = planBatch(name, order, input, before, lowWater);
				if (isWorthwhile(input, before, pass.after)) return decidePass(input, pass, reasonOf(input, before));
			}
			return before > budget ? makePass(name, input, before, before, []) : undefined;
		},
	};
}

function reasonOf({ isCold, budget }: PlanInput, before: number): Decision["reason"] {
	if (isCold) return "cold cache";
	return before > budget ? "over budget" : "pays for itself";
}

function planBatch(
	name: string,
	{ createScore, addLines }: BatchOrder,
	input: PlanInput,
	before: number,
	lowWater: number,
): Pass {
	const scene = openScene(input, before);
	const { eviction } = scene;
	const score = createScore(scene);
	for (const episode of scene.visible.episodes)
		if (eviction.isEvicted(episode.id)) scene.closer.close(episode);
	relieveComponents(scene, score);
	evictUntil(scene, lowWater, [...oldReasoning(scene), ...evictionSteps(scene, score)]);
	const ceiling = mostLeft(input, before);
	if (eviction.total() > ceiling) {
		evictUntil(scene, (lowWater + ceiling) / 2, [...fromOpenEpisodes(scene), ...shortAnswers(scene)]);
		evictUntil(scene, ceiling, lastResorts(scene));
	}
	addLines?.(scene, eviction);
	const strips = eviction.strips();
	const { lines, saved } = planIndexLines(input, strips, eviction.total() - input.budget);
	const after = eviction.total() - saved;
	return makePass(name, input, before, after, strips, lines);
}

/** Lines are set only where the target seems to be met: each of them is read from all calls that left of its episode. */
function evictUntil({ eviction, closer }: BatchScene, target: number, steps: readonly (() => void)[]) {
	for (const step of steps) {
		if (eviction.total() <= target) closer.setLines();
		if (eviction.total() <= target) return;
		step();
	}
	closer.setLines();
}

/** A pass over a context of `before` tokens as it begins, with what it spares. */
export function openScene(input: PlanInput, before: number) {
	const draft = draftPass(input, before);
	const time = timelineOf(input.graph.history);
	const tail = TAIL_SHARE * (input.budget - measureFloor(input).tokens);
	const isHot = (message: number) => time.age(message) < tail;
	const isSpared = ({ items, isKept }: Episode) => isKept === true || isHot(items.at(-1)?.message ?? 0);
	const closer = createEpisodeEviction(draft, { isSpared });
	return { ...draft, time, isHot, closer };
}

export type BatchScene = ReturnType<typeof openScene>;

type Step = () => void;

/** The steps by which a pass evicts down to low water; with `isWanted`, those alone that take such candidates. */
export function evictionSteps(
	scene: BatchScene,
	score: Score,
	isWanted: (candidate: Candidate) => boolean = () => true,
): readonly Step[] {
	const candidates = [...outputs(scene), ...episodesOfWords(scene.visible)].filter(isWanted);
	const scored = candidates.map((candidate) => ({
		score: score(candidate),
		step: () => evict(scene, candidate),
	}));
	return scored.toSorted((a, b) => a.score - b.score).map(({ step }) => step);
}

/** The outputs that a pass may take as long as the budget does not force it to take more. */
export function outputs(scene: BatchScene): readonly Unit[] {
	return scene.visible.units.filter(
		(unit) => unit.isWork && !isSpared(scene, unit.episode, unit.call.message) && isAvailable(scene, unit),
	);
}

function evict(scene: BatchScene, candidate: Candidate) {
	if (candidate.call) takeUnit(scene, candidate);
	else scene.closer.close(candidate.episode);
}

function takeUnit({ eviction, closer }: BatchScene, unit: Unit) {
	if (unit.items.every(eviction.gone)) return;
	eviction.takeUnit(unit);
	closer.close(unit.episode);
}

function isSpared({ input }: BatchScene, episode: Episode, message: number): boolean {
	return episode.isKept === true || isInHand(input, episode, message);
}

/** Returns true if a unit is neither in the hot tail nor needed by the work in progress. */
function isAvailable({ isHot, isEvictable }: BatchScene, unit: Unit): boolean {
	return isEvictableUnit(unit, isEvictable) && !isHot(unit.result?.message ?? unit.call.message);
}

/** The steps that take the reasoning of each episode, but for what is recent or needed by the work in progress. */
function oldReasoning({ visible, eviction, isHot, isRemovable }: BatchScene): readonly Step[] {
	const isOld = (item: Item) => item.type === "reasoning" && isRemovable(item) && !isHot(item.message);
	return visible.episodes.map((episode) => () => {
		eviction.take(episode, visible.restOf(episode).filter(isOld), 1);
	});
}

/** Outputs inside the episodes that are open: bulk before the rest, each oldest first. */
function fromOpenEpisodes(scene: BatchScene): readonly Step[] {
	const { input, visible } = scene;
	return visible.units
		.filter(
			(unit) => unit.isWork && isInHand(input, unit.episode, unit.call.message) && isAvailable(scene, unit),
		)
		.toSorted((a, b) => levelOf(input, a) - levelOf(input, b))
		.map((unit) => () => takeUnit(scene, unit));
}

/** The words that a line would not shorten, oldest first: they leave without one, once nothing else meets the budget. */
function shortAnswers(scene: BatchScene): readonly Step[] {
	const answers = episodesOfWords(scene.visible).filter(
		({ episode, message }) => !isSpared(scene, episode, message) && !scene.isHot(message),
	);
	return wordsOf(
		scene,
		answers.map(({ episode }) => episode),
	);
}

/** The steps that take the words of each episode, unless an act that is left needs it. */
function wordsOf(
	{ visible, eviction, closer, isRemovable }: BatchScene,
	episodes: readonly Episode[],
): readonly Step[] {
	return episodes.map((episode) => () => {
		if (!closer.isNeeded(episode)) eviction.take(episode, visible.restOf(episode).filter(isRemovable), 3);
	});
}

/**
 * The hot tail, failed calls and words, then closed episodes with what the delimiter's own calls say, each oldest first;
 * the same once more with kept episodes; never the exchange in progress.
 */
function lastResorts(scene: BatchScene): readonly Step[] {
	const { episodes } = scene.visible;
	const others = episodes.filter(({ isKept }) => isKept !== true);
	if (others.length === episodes.length) return everythingOf(scene, episodes);
	// A kept act that leaves may have held expls that were not kept.
	return [...everythingOf(scene, others), ...everythingOf(scene, episodes)];
}

function everythingOf(scene: BatchScene, episodes: readonly Episode[]): readonly Step[] {
	const { visible, isEvictable } = scene;
	const calls = episodes
		.flatMap((episode) => visible.unitsOf(episode))
		.filter((unit) => !isMark(unit) && isEvictableUnit(unit, isEvictable))
		.toSorted((a, b) => Number(b.isWork) - Number(a.isWork));
	const words = wordsOf(scene, episodes);
	const own = new Set(episodes);
	const { close } = createEpisodeEviction(scene, { isSpared: (episode) => !own.has(episode) });
	const whole = episodes.map((episode) => () => close(episode));
	// An act that left whole may have held the words of its expls.
	return [...calls.map((unit) => () => takeUnit(scene, unit)), ...words, ...whole, ...words];
}

/** Returns true for a delimiter call that took effect: without it, the model loses track of what is open. */
function isMark({ call, result }: Unit): boolean {
	return call.tool === DELIMITER && result?.isError !== true;
}

/**
 * Takes from each component that is over its limit until it is smaller by its excess, in the order of the policy. Open
 * episodes, the hot tail, failed calls and what people wrote stay, whatever the limit says.
 */
function relieveComponents(scene: BatchScene, score: Score): void {
	const { input, eviction } = scene;
	if (!input.relief) return;
	const componentOf = componentIn(input.graph);
	const { resultOf } = input.graph;
	let seen = eviction.taken.length;
	const freed = new Map<ItemComponent, number>();
	const countFreed = () => {
		for (const item of eviction.taken.slice(seen)) {
			for (const part of [item, resultOf.get(item.id)]) {
				if (part) freed.set(componentOf(part), (freed.get(componentOf(part)) ?? 0) + part.tokens);
			}
		}
		seen = eviction.taken.length;
	};
	for (const { component, excess } of input.relief) {
		const isOwn = (candidate: Candidate) => mainComponent(candidate, componentOf) === component;
		const reasoning = component === "history" ? oldReasoning(scene) : [];
		for (const step of [...reasoning, ...evictionSteps(scene, score, isOwn)]) {
			countFreed();
			if ((freed.get(component) ?? 0) >= excess) break;
			step();
		}
	}
}

/** The component that most of a candidate counts to: a large edit is history, a read is a tool result. */
function mainComponent(
	{ call, result }: Candidate,
	componentOf: (item: Item) => ItemComponent,
): ItemComponent {
	return call && result && result.tokens >= call.tokens ? componentOf(result) : "history";
}
