/**
 * The engine under every policy that works in batches: one pass from above the budget down to low water, so that the
 * provider's cache is rewritten less often. A policy brings the score; what a pass takes in which order, and what it
 * spares, is decided in `batch-steps.ts`, whatever the score says.
 */
import type { Episode, EpisodeId } from "../graph/graph.ts";
import { timelineOf } from "../graph/history.ts";
import { measureFloor, totalTokens } from "../ledger/ledger.ts";
import type { Pass, Strip } from "../log/pass.ts";
import {
	type BatchScene,
	dispensable,
	fromOpenEpisodes,
	isUntouched,
	lastResorts,
	oldReasoning,
	relieveComponents,
} from "./batch-steps.ts";
import { decide, growthOf, lowWaterFor } from "./economics.ts";
import { createEpisodeEviction } from "./episode-eviction.ts";
import { planIndexLines } from "./episode-index.ts";
import { draftPass, type Eviction } from "./eviction.ts";
import { makePass } from "./make-pass.ts";
import { passEffect } from "./pass-effect.ts";
import type { PlanInput, Policy } from "./policy.ts";
import type { CreateScore, Scene } from "./units.ts";
import { isWorthwhile, mostEvictable } from "./worthwhile.ts";

/**
 * Where a pass stops, as a share of the budget. Lower values rewrite the provider's cache less often and leave less in
 * the context. `balanced` is the default.
 */
export const lowWaters = { economy: 0.35, balanced: 0.75, quality: 0.82 } as const;

/** Low water leaves at least this share of what can leave at all, so that user turns do not press everything else out. */
const MIN_LEFT = 0.35;
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
		lowWater: lowWaterTokens,
		plan(input) {
			const before = totalTokens(input.graph, input.view, input.fixed);
			const isWanted = input.isCold || input.lowWaterTokens !== undefined;
			if (before <= input.budget && !isWanted) return undefined;
			const lowWater = lowWaterTokens(input);
			if (before <= lowWater && !input.relief) return undefined;
			if (isWorthwhile(input, before, before - mostEvictable(input))) {
				const pass = planPass(name, order, input, before, lowWater);
				if (isWorthwhile(input, before, pass.after)) return withDecision(input, pass);
			}
			return before > input.budget ? makePass(name, input, before, before, []) : undefined;
		},
	};
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
	relieveComponents(scene, score);
	evictUntil(eviction, lowWater, [...oldReasoning(scene), ...dispensable(scene, score)]);
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
export function withDecision(input: PlanInput, pass: Pass): Pass & Required<Pick<Pass, "decision">> {
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

/** A pass over a context of `before` tokens as it begins, with what it spares. */
export function openScene(input: PlanInput, before: number): BatchScene {
	const draft = draftPass(input, before);
	const time = timelineOf(input.graph.history);
	const tail = TAIL_SHARE * (input.budget - measureFloor(input).tokens);
	const isHot = (message: number) => time.age(message) < tail;
	const isSpared = ({ items, isKept }: Episode) => isKept === true || isHot(items.at(-1)?.message ?? 0);
	const closer = createEpisodeEviction(input, draft.visible, draft.eviction, isSpared);
	return { ...draft, time, isHot, closer };
}
