/**
 * From the trigger to the pass: the one way in which a session plans. A policy says what a pass takes; the layers around it
 * spare what a person brought back, fade before they evict, keep components to their limits, and keep thinking valid.
 */
import type { Pass } from "../log/pass.ts";
import { withComponentBudgets } from "./component-budgets.ts";
import { withFading } from "./fading.ts";
import { ceilingOf } from "./limits.ts";
import { type PlanInput, type Policy, withSpared } from "./policy.ts";
import { forfeitThinking } from "./thinking.ts";

/** The pass to make before the next request; undefined when none is due. */
export function planPass(policy: Policy, input: PlanInput): Pass | undefined {
	const { spared, fading = "off", componentBudgets = {} } = input;
	const layered = withComponentBudgets(withFading(withSpared(policy, spared), fading), componentBudgets);
	const pass = layered.plan({ ...input, budget: ceilingOf(input) });
	return pass && forfeitThinking(input, pass);
}
