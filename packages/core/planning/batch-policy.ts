/**
 * The engine under every policy that works in batches: one pass from above the budget down to low water, so that the
 * provider's cache is rewritten less often. A policy brings the score; what a pass takes in which order, and what it
 * spares, is decided in `batch-steps.ts`, whatever the score says.
 */
import type { Episode, EpisodeId } from "../graph/graph.ts";
import { timelineOf } from "../graph/history.ts";
import { measureFloor, totalTokens } from "../ledger/ledger.ts";
import type { Decision, Pass, Strip } from "../log/pass.ts";
import {
	type BatchScene,
	evictionSteps,
	fromOpenEpisodes,
	isUntouched,
	lastResorts,
	oldReasoning,
	relieveComponents,
} from "./batch-steps.ts";
import { planIndexLines } from "./episode-index.ts";
import { createEpisodeEviction, draftPass, type Eviction } from "./eviction.ts";
import { limitsOf } from "./limits.ts";
import { makePass } from "./make-pass.ts";
import { decidePass, isWorthwhile } from "./payoff.ts";
import type { PlanInput, Policy } from "./policy.ts";
import type { CreateScore, Scene } from "./units.ts";

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
			const { graph, view, fixed, budget, isCold, lowWaterTokens } = input;
			const before = totalTokens(graph, view, fixed);
			if (before <= budget && !isCold && lowWaterTokens === undefined) return undefined;
			const { lowWater } = limitsOf(input);
			if (before <= lowWater && !input.relief) return undefined;
			const pass = planPass(name, order, input, before, lowWater);
			if (isWorthwhile(input, before, pass.after)) return decidePass(input, pass, reasonOf(input, before));
			return before > budget ? makePass(name, input, before, before, []) : undefined;
		},
	};
}

function reasonOf({ isCold, budget }: PlanInput, before: number): Decision["reason"] {
	if (isCold) return "cold cache";
	return before > budget ? "over budget" : "pays for itself";
}

function planPass(
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
	evictUntil(eviction, lowWater, [...oldReasoning(scene), ...evictionSteps(scene, score)]);
	if (eviction.total() > input.budget) {
		evictUntil(eviction, (lowWater + input.budget) / 2, fromOpenEpisodes(scene));
		evictUntil(eviction, input.budget, lastResorts(scene));
	}
	addLines?.(scene, eviction);
	const strips = eviction.strips();
	const { lines, saved } = planIndexLines(input, strips, eviction.total() - input.budget);
	const after = eviction.total() - saved;
	const pass = makePass(name, input, before, after, strips, lines);
	const lastResort = openAmong(input, strips);
	return lastResort.length > 0 ? { ...pass, lastResort } : pass;
}

function evictUntil(eviction: Eviction, target: number, steps: readonly (() => void)[]) {
	for (const step of steps) {
		if (eviction.total() <= target) return;
		step();
	}
}

/** Ids of the episodes that had to be stripped before their end. */
function openAmong(input: PlanInput, strips: readonly Strip[]): readonly EpisodeId[] {
	const stripped = new Set(strips.map(({ episode }) => episode));
	return input.graph.episodes
		.filter((episode) => stripped.has(episode.id) && isUntouched(input, episode))
		.map(({ id }) => id);
}

/** A pass over a context of `before` tokens as it begins, with what it spares. */
export function openScene(input: PlanInput, before: number): BatchScene {
	const draft = draftPass(input, before);
	const time = timelineOf(input.graph.history);
	const tail = TAIL_SHARE * (input.budget - measureFloor(input).tokens);
	const isHot = (message: number) => time.age(message) < tail;
	const isSpared = ({ items, isKept }: Episode) => isKept === true || isHot(items.at(-1)?.message ?? 0);
	const closer = createEpisodeEviction(input, draft.visible, draft.eviction, { isSpared });
	return { ...draft, time, isHot, closer };
}
