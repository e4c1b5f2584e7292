/** Passes that a person asks for: down to low water, or over one episode. */
import { DELIMITER } from "../annotation/delimiter.ts";
import type { Episode } from "../graph/graph.ts";
import { totalTokens } from "../ledger/ledger.ts";
import { changesContext, type Pass } from "../log/pass.ts";
import { createEpisodeEviction, isRequiredReasoning } from "./episode-eviction.ts";
import { draftPass, levelOf } from "./eviction.ts";
import { lowWaterOf } from "./limits.ts";
import { newestOf } from "./make-pass.ts";
import { planPass } from "./plan.ts";
import type { PlanInput, Policy } from "./policy.ts";
import { forfeitThinking } from "./thinking.ts";

/** The policy name of a pass that the user asked for. */
export const MANUAL_PASS = "by hand";

/** A pass down to low water although none is due; undefined at low water, and when nothing may leave. */
export function planManualPass(policy: Policy, input: PlanInput): Pass | undefined {
	const { budget } = input;
	const lowWater = lowWaterOf(policy, input);
	const now = policy.limits ? { ...input, lowWaterTokens: lowWater } : { ...input, budget: lowWater };
	const pass = planPass(policy, now);
	if (!pass || !changesContext(pass)) return undefined;
	const { decision: _, ...taken } = pass;
	return { ...taken, policy: MANUAL_PASS, budget };
}

/**
 * A pass over one episode: its calls with their results, old reasoning, and all of it once nothing holds it any more
 * (open, in the exchange in progress, declared by an act that is still there). Undefined when nothing may leave.
 */
export function planEpisode(input: PlanInput, episode: Episode): Pass | undefined {
	const { graph, view, fixed, budget } = input;
	const before = totalTokens(graph, view, fixed);
	const { visible, eviction, isEvictable } = draftPass(input, before);
	for (const unit of visible.unitsOf(episode)) {
		if (unit.call.tool === DELIMITER || !isEvictable(unit.call)) continue;
		if (unit.isWork) eviction.take(episode, unit.items, levelOf(input, unit));
	}
	const reasoning = visible
		.restOf(episode)
		.filter((item) => item.type === "reasoning" && isEvictable(item) && !isRequiredReasoning(graph, item));
	eviction.take(episode, reasoning, 1);
	createEpisodeEviction(input, visible, eviction, { isSpared: () => false }).close(episode);
	const strips = eviction.strips();
	if (strips.length === 0) return undefined;
	const sizes = { before, after: eviction.total() };
	const pass = { version: 1 as const, policy: MANUAL_PASS, budget, ...sizes, strips, blockers: [] };
	return forfeitThinking(input, { ...pass, ...newestOf(input) });
}
