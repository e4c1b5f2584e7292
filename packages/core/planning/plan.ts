/**
 * From the trigger to the pass: the one way in which a session plans. A policy says what a pass takes; the layers around it
 * spare what a person brought back, do what add-ons want, and keep thinking valid.
 */

import { changesContext, type Pass } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { ceilingOf } from "./limits.ts";
import { decidePass } from "./payoff.ts";
import { type PlanInput, type Policy, withSpared } from "./policy.ts";
import { forfeitThinking } from "./thinking.ts";

/** The pass to make before the next request; undefined when none is due. */
export function planPass(policy: Policy, input: PlanInput): Pass | undefined {
	const { spared, layers = [] } = input;
	const layered = layers.reduce((inner, layer) => layer(inner), withSpared(policy, spared));
	const budget = ceilingOf(input);
	const planned = layered.plan({ ...input, budget });
	const pass = planned && forfeitThinking(input, planned);
	if (!pass?.forfeited || pass.after <= budget) return pass;
	// The thinking that left may bring the budget within reach: the pass takes what the next plan would take at once.
	const next = planPass(policy, { ...input, view: viewAfter(input.view, pass) });
	return next && changesContext(next) ? joinPasses(input, pass, next) : pass;
}

/** Two passes for the same request as one. */
function joinPasses(input: PlanInput, first: Pass, next: Pass): Pass {
	const pass: Pass = {
		...next,
		before: first.before,
		...joinParts(first, next),
	};
	return first.decision ? decidePass(input, pass, first.decision.reason) : pass;
}

/** The parts that two passes for the same request take. */
export function joinParts(first: Pass, next: Pass) {
	return {
		strips: [...first.strips, ...next.strips],
		indexLines: [...(first.indexLines ?? []), ...(next.indexLines ?? [])],
		reductions: [...(first.reductions ?? []), ...(next.reductions ?? [])],
		forfeited: (first.forfeited ?? 0) + (next.forfeited ?? 0),
	};
}
