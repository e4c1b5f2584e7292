/** How near each component is to its limits, and how soon it reaches them (seed 002, section 5). */
import {
	type BudgetComponent,
	budgetComponents,
	measureComponentGrowth,
	measureComponents,
} from "../ledger/component-usage.ts";
import type { ComponentBudgets, PlanInput } from "../planning/policy.ts";

/** `critical` within three requests of its hard limit, `warning` within ten or above its soft limit. */
type Urgency = "critical" | "warning" | "normal";

export interface ComponentState {
	readonly component: BudgetComponent;
	/** In tokens, like the limits; of `output`, those of the last answer. */
	readonly used: number;
	/** Null without a limit. */
	readonly soft: number | null;
	readonly hard: number | null;
	/** Tokens that a request adds, on the mean of the last five. */
	readonly burnRate: number;
	/** Requests until the hard limit at this rate; null while the component does not grow, and without a limit. */
	readonly requestsLeft: number | null;
	readonly urgency: Urgency;
}

const CRITICAL = 3;
const WARNING = 10;

/** The six components, in the order of the seed. Linear in what the request sends. */
export function measureComponentStates(
	{ graph, view, fixed, budget }: Pick<PlanInput, "graph" | "view" | "fixed" | "budget">,
	budgets: ComponentBudgets,
): readonly ComponentState[] {
	const used = measureComponents(graph, view, fixed);
	const growth = measureComponentGrowth(graph);
	return budgetComponents.map((component) => {
		const limit = budgets[component];
		const soft = limit ? Math.round(limit.soft * budget) : null;
		const hard = limit && limit.hard < 1 ? Math.round(limit.hard * budget) : null;
		const burnRate = Math.round(growth[component]);
		const requestsLeft = hard === null ? null : requestsUntil(hard - used[component], burnRate);
		const urgency = urgencyOf(
			requestsLeft ?? Number.POSITIVE_INFINITY,
			soft !== null && used[component] >= soft,
		);
		return { component, used: used[component], soft, hard, burnRate, requestsLeft, urgency };
	});
}

/** The component that grows fastest; null while none grows. */
export function fastestGrowing(states: readonly ComponentState[]): BudgetComponent | null {
	const [first] = states.filter(({ burnRate }) => burnRate > 0).toSorted((a, b) => b.burnRate - a.burnRate);
	return first?.component ?? null;
}

function requestsUntil(tokens: number, burnRate: number): number | null {
	if (tokens < 0) return 0;
	return burnRate > 0 ? Math.floor(tokens / burnRate) : null;
}

function urgencyOf(requestsLeft: number, isOverSoft: boolean): Urgency {
	if (requestsLeft < CRITICAL) return "critical";
	return requestsLeft < WARNING || isOverSoft ? "warning" : "normal";
}
