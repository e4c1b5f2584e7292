/**
 * The default policy: one batch from above the budget down to low water, so that the provider's cache is rewritten
 * less often. It takes reasoning first, then calls with their results by rising score, whatever their episode; an episode
 * without calls leaves altogether and one line stays for it. It departs from Algorithm 1 in that acts do not come
 * before expls, nor marked content before unmarked: the score weighs both. What it spares (a small hot tail, open
 * episodes, failed calls) goes only when the budget would break.
 */

import { DELIMITER } from "../../annotation/delimiter.ts";
import type { Episode, EpisodeId } from "../../graph/graph.ts";
import { countRegrets } from "../../health/regret.ts";
import { type Timeline, timelineOf } from "../../history/timeline.ts";
import { measureFloor } from "../../ledger/floor.ts";
import { totalTokens } from "../../ledger/ledger.ts";
import type { Pass, Strip } from "../../log/pass.ts";
import { planIndexLines } from "../../projection/episode-index.ts";
import { type Item, sumTokens } from "../../transcript/transcript.ts";
import { decide, growthOf, lowWaterFor } from "../economics.ts";
import { createEpisodeEviction, type EpisodeEviction, isRequiredReasoning } from "../episode-eviction.ts";
import { measureFreshness } from "../freshness.ts";
import { makePass } from "../make-pass.ts";
import { isOversized } from "../oversized.ts";
import { draftPass, levelOf, type PassDraft } from "../pass-draft.ts";
import { passEffect } from "../pass-effect.ts";
import type { PlanInput, Policy } from "../policy.ts";
import { createUnitScore, scoreWords } from "../scoring.ts";
import { isEvictableUnit, type Unit } from "../units.ts";
import { isWorthwhile, mostEvictable } from "../worthwhile.ts";

/**
 * Where a pass stops, as a share of the budget. Lower values rewrite the provider's cache less often and leave less in
 * the context. `balanced` is the default.
 */
export const lowWaters = { economy: 0.35, balanced: 0.75, quality: 0.82 } as const;

/** Low water leaves at least this share of what can leave at all, so that user turns do not press everything else out. */
const MIN_LEFT = 0.35;
/** The hot tail, as a share of what the prologue and user turns leave of the budget. */
const TAIL_SHARE = 0.1;

export const cwl: Policy = {
	name: "cwl",
	lowWater: lowWaterTokens,
	plan(input) {
		const before = totalTokens(input.graph, input.view, input.fixed);
		const isWanted = input.isCold || input.lowWaterTokens !== undefined;
		if (before <= input.budget && !isWanted) return undefined;
		const lowWater = lowWaterTokens(input);
		if (before <= lowWater) return undefined;
		if (isWorthwhile(input, before, before - mostEvictable(input))) {
			const pass = planPass(input, before, lowWater);
			if (isWorthwhile(input, before, pass.after)) return pass;
		}
		return before > input.budget ? makePass("cwl", input, before, before, []) : undefined;
	},
};

function planPass(input: PlanInput, before: number, lowWater: number): Pass {
	const scene = openScene(input, before);
	evictUntil(scene, lowWater, dispensable(scene));
	if (scene.eviction.total() > input.budget) {
		evictUntil(scene, (lowWater + input.budget) / 2, fromOpenEpisodes(scene));
		evictUntil(scene, input.budget, lastResorts(scene));
	}
	const strips = scene.eviction.strips();
	const { lines, saved } = planIndexLines(input, strips, scene.eviction.total() - input.budget);
	const after = scene.eviction.total() - saved;
	const pass = withDecision(input, makePass("cwl", input, before, after, strips, lines));
	const lastResort = openAmong(input, strips);
	return lastResort.length > 0 ? { ...pass, lastResort } : pass;
}

/** Low water in tokens: a share of the budget, higher when what can never leave takes much of it. */
function lowWaterTokens(input: PlanInput): number {
	if (input.lowWaterTokens !== undefined) return Math.min(input.lowWaterTokens, input.budget);
	const floor = measureFloor(input).tokens;
	const room = input.budget - floor;
	const share = (input.lowWater ?? lowWaters.balanced) * input.budget;
	const wished = Math.max(share, input.budget - (1 - MIN_LEFT) * room);
	const { budget, graph, prices } = input;
	return Math.min(budget, lowWaterFor(wished, budget, floor, growthOf(graph), prices));
}

/** The pass with the figures that it was decided on. */
function withDecision(input: PlanInput, pass: Pass): Pass {
	const { isCold = false, graph, budget, prices } = input;
	const { before, after } = pass;
	const situation = { isCold, before, budget, room: budget - after, growth: growthOf(graph) };
	return { ...pass, decision: decide(passEffect(input, pass), situation, prices) };
}

/** Ids of the episodes that had to be stripped before their end. */
function openAmong(input: PlanInput, strips: readonly Strip[]): readonly EpisodeId[] {
	const stripped = new Set(strips.map(({ episode }) => episode));
	return input.graph.episodes
		.filter((episode) => stripped.has(episode.id) && isUntouched(input, episode))
		.map(({ id }) => id);
}

interface Scene extends PassDraft {
	readonly time: Timeline;
	readonly isHot: (message: number) => boolean;
	readonly closer: EpisodeEviction;
}

function openScene(input: PlanInput, before: number): Scene {
	const draft = draftPass(input, before);
	const time = timelineOf(input.graph.history);
	const tail = TAIL_SHARE * (input.budget - measureFloor(input).tokens);
	const isHot = (message: number) => time.age(message) < tail;
	const closer = createEpisodeEviction(input, draft.sight, draft.eviction, isHot);
	return { ...draft, time, isHot, closer };
}

type Step = () => void;

function evictUntil({ eviction }: Scene, target: number, steps: readonly Step[]) {
	for (const step of steps) {
		if (eviction.total() <= target) return;
		step();
	}
}

function takeUnit({ input, eviction, closer }: Scene, unit: Unit) {
	eviction.take(unit.episode, unit.items, levelOf(input, unit));
	closer.close(unit.episode);
}

/** The steps by which a pass evicts down to low water, in this order. */
function dispensable(scene: Scene): readonly Step[] {
	const { input, sight, time } = scene;
	const freshness = measureFreshness(sight.units);
	const { graph, view, tools, canRestore } = input;
	const regrets = countRegrets(graph, view);
	const score = createUnitScore({ graph, tools, time, freshness, regrets, canRestore });
	const units = sight.units
		.filter((unit) => unit.isWork && !isUntouched(input, unit.episode) && isCold(scene, unit))
		.map((unit) => ({ score: score(unit), step: () => takeUnit(scene, unit) }));
	const words = sight.episodes
		.filter((episode) => !sight.unitsOf(episode).some((unit) => unit.isWork))
		.map((episode) => ({ score: scoreEpisode(scene, episode), step: () => scene.closer.close(episode) }));
	const byScore = [...units, ...words].toSorted((a, b) => a.score - b.score);
	return [...oldReasoning(scene), ...byScore.map(({ step }) => step)];
}

/** Returns true for open episodes, except for a long run that nobody marked: its end may never come. */
function isUntouched({ budget }: PlanInput, episode: Episode): boolean {
	return episode.state === "open" && (episode.origin === "declared" || !isOversized(episode, budget));
}

/** Returns true if a unit is neither in the hot tail nor needed by the work in progress. */
function isCold({ isHot, isEvictable }: Scene, unit: Unit): boolean {
	return isEvictableUnit(unit, isEvictable) && !isHot(unit.result?.message ?? unit.call.message);
}

function oldReasoning({ input, sight, eviction, isHot, isEvictable }: Scene): readonly Step[] {
	const isOld = (item: Item) =>
		item.type === "reasoning" &&
		isEvictable(item) &&
		!isRequiredReasoning(input.graph, item) &&
		!isHot(item.message);
	return sight.episodes.map((episode) => () => {
		eviction.take(episode, sight.restOf(episode).filter(isOld), 1);
	});
}

function scoreEpisode({ sight, time }: Scene, episode: Episode): number {
	return scoreWords(time, episode.items.at(-1)?.message ?? 0, sumTokens(sight.restOf(episode)));
}

/** Outputs inside the episodes that are open: bulk before the rest, each oldest first. */
function fromOpenEpisodes(scene: Scene): readonly Step[] {
	const { input, sight } = scene;
	return sight.units
		.filter((unit) => unit.isWork && isUntouched(input, unit.episode) && isCold(scene, unit))
		.toSorted((a, b) => levelOf(input, a) - levelOf(input, b))
		.map((unit) => () => takeUnit(scene, unit));
}

/**
 * The hot tail, failed calls and words, then closed episodes with what the delimiter's own calls say, each oldest first;
 * never the exchange in progress.
 */
function lastResorts(scene: Scene): readonly Step[] {
	const { sight, eviction, isEvictable, closer } = scene;
	const { graph } = scene.input;
	const calls = sight.units
		.filter((unit) => !isMark(unit) && isEvictableUnit(unit, isEvictable))
		.toSorted((a, b) => Number(b.isWork) - Number(a.isWork));
	const isSpare = (item: Item) => isEvictable(item) && !isRequiredReasoning(graph, item);
	const words = sight.episodes.map((episode) => () => {
		if (!closer.isNeeded(episode)) eviction.take(episode, sight.restOf(episode).filter(isSpare), 3);
	});
	const { close } = createEpisodeEviction(scene.input, sight, eviction, () => false);
	const whole = sight.episodes.map((episode) => () => close(episode));
	// An act that left whole may have held the words of its expls.
	return [...calls.map((unit) => () => takeUnit(scene, unit)), ...words, ...whole, ...words];
}

/** Returns true for a delimiter call that took effect: without it, the model loses track of what is open. */
function isMark({ call, result }: Unit): boolean {
	return call.tool === DELIMITER && result?.isError !== true;
}
