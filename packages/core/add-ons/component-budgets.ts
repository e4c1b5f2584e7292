/**
 * Budgets by component (seed 002, section 5): a hard limit is a budget of its own. A component over it forces the next
 * pass, which takes from that component first. The shares are the user's; without them nothing here is asked.
 */
import {
	type BudgetComponent,
	type ItemComponent,
	measureComponents,
	totalTokens,
} from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import { viewAfter } from "../log/view.ts";
import { isWorthwhile, wasJustMade } from "../planning/payoff.ts";
import type { PlanInput, Policy, Relief } from "../planning/policy.ts";

/** Shares of the budget. */
export interface ComponentBudget {
	/** From here on an alert names the component; a pass that relieves it stops here. */
	readonly soft: number;
	/** The most that it may take. For `output`: what a request leaves free for its answer. */
	readonly hard: number;
}

/** A component without an entry has no limit. */
export type ComponentBudgets = Readonly<Partial<Record<BudgetComponent, ComponentBudget>>>;

const relievable: readonly ItemComponent[] = ["toolResults", "history", "memory"];

/** The policy, which also makes a pass when a component is over its hard limit and much of it can leave. */
export function withComponentBudgets(policy: Policy, budgets: ComponentBudgets): Policy {
	if (Object.keys(budgets).length === 0) return policy;
	return {
		...policy,
		plan(input) {
			const relief = findRelief(input, budgets);
			if (relief.length === 0 && !isReserveShort(input, budgets)) return policy.plan(input);
			const first = relief.length > 0 ? { ...input, relief } : input;
			const due = policy.plan(first);
			// Algorithm 1 knows no low water, and no component.
			if (due || !policy.limits) return due;
			// What the last pass left over a limit was all that it could do.
			if (wasJustMade(input)) return undefined;
			// Beyond its own component a limit takes nothing; only room for an answer is made from all of them.
			const isShort = isReserveShort(input, budgets);
			const lowWaterTokens = isShort ? policy.limits(input).lowWater : input.budget;
			const pass = policy.plan({ ...first, lowWaterTokens });
			return pass && relieves(input, pass, budgets) ? forced(pass) : undefined;
		},
	};
}

function findRelief(input: PlanInput, budgets: ComponentBudgets): readonly Relief[] {
	const { budget } = input;
	const used = measureComponents(input);
	return relievable.flatMap((component) => {
		const limit = budgets[component];
		if (!limit || used[component] <= limit.hard * budget) return [];
		return [{ component, excess: used[component] - limit.soft * budget }];
	});
}

/** Returns true if the request and an answer as large as its reserve would exceed the budget. */
function isReserveShort(input: PlanInput, { output }: ComponentBudgets): boolean {
	return output !== undefined && totalTokens(input) > (1 - output.hard) * input.budget;
}

/** Returns true if a pass brings one component below its limit, or frees so much of it that the rewritten cache is worth it. */
function relieves(input: PlanInput, pass: Pass, budgets: ComponentBudgets): boolean {
	const { budget } = input;
	const before = measureComponents(input);
	const after = measureComponents({ ...input, view: viewAfter(input.view, pass) });
	// Moved by as much as makes the limit the budget, so that a component is judged as the whole request is.
	const isRelieved = (limit: number, was: number, is: number) =>
		was > limit && isWorthwhile({ budget }, was + budget - limit, is + budget - limit);
	const parts = relievable.some((component) => {
		const limit = budgets[component];
		return limit !== undefined && isRelieved(limit.hard * budget, before[component], after[component]);
	});
	const { output } = budgets;
	return parts || (output !== undefined && isRelieved((1 - output.hard) * budget, pass.before, pass.after));
}

function forced(pass: Pass): Pass {
	return pass.decision ? { ...pass, decision: { ...pass.decision, reason: "over a hard limit" } } : pass;
}
