/**
 * The default policy. Above the budget: batches (`batch-policy.ts`), first what loses least for each token. Below it, a pass is
 * made only if it pays for itself (`payoff.ts`): over finished work when the next begins (`seams.ts`), and over outputs that are
 * not worth their price (`worth.ts`) when a turn begins or the cache is cold. It departs from Algorithm 1 in that acts do not
 * come before expls, nor marked content before unmarked.
 */

import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { batchPolicy } from "../planning/batch-policy.ts";
import { beginsTurn, limitsOf } from "../planning/limits.ts";
import { isWorthwhile, isWorthwhileEarly, mostEvictable, pays, wasJustMade } from "../planning/payoff.ts";
import type { PlanInput, Policy } from "../planning/policy.ts";
import { isSeam, planSeamPass } from "../planning/seams.ts";
import { createLossOrder } from "../planning/worth.ts";
import { planWorthPass, weighOutputs } from "../planning/worth-pass.ts";

const batches = batchPolicy("cwl", { createScore: createLossOrder });

export const cwl: Policy = {
	...batches,
	passesEarly: true,
	plan(input) {
		const { budget, lowWaterTokens, relief } = input;
		const before = totalTokens(input);
		if (before > budget || lowWaterTokens !== undefined || relief) return batches.plan(input);
		return planEarlyPass(input, before);
	},
	weigh: weighOutputs,
};

/** A pass that the budget does not force: over finished work or, where a turn begins or the cache is cold, over what is not worth its price. */
function planEarlyPass(input: PlanInput, before: number): Pass | undefined {
	// Nothing came since the last pass, which took all that it could or should take.
	if (wasJustMade(input)) return undefined;
	const now = { ...input, isCold: isCheaplyCold(input, before) };
	if (beginsTurn(input) || isSeam(input.graph)) {
		const seam = planSeamPass(input, cwl.name, before);
		if (seam && isWorthwhile(input, before, seam.after) && pays(input, seam)) return seam;
	}
	const isCheap = beginsTurn(input) || now.isCold;
	if (!isCheap || !isWorthwhileEarly(now, before, before - mostEvictable(input))) return undefined;
	const pass = planWorthPass(now, cwl.name, before);
	return pass && isWorthwhileEarly(now, before, pass.after) && pays(now, pass) ? pass : undefined;
}

/**
 * Returns true if the cache is cold and the context is more than halfway from low water to the ceiling. A smaller context is
 * treated as if it were cached, so that a session that is resumed loses nothing that its budget does not ask for.
 */
function isCheaplyCold(input: PlanInput, before: number): boolean {
	if (input.isCold !== true) return false;
	const { ceiling, lowWater } = limitsOf(input);
	return before > (lowWater + ceiling) / 2;
}
