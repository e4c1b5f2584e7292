/** The sweep of `--what-if`: the arms that show what each policy under each budget would have cost. `report/advice.ts` recommends one. */
import { formatTokens } from "#basics";
import { CwlError } from "#pi";
import { budgetTokens } from "#pi/settings";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { type Arm, armsUnder } from "./arms.ts";

/**
 * Each policy under each budget, and three arms to compare with: no eviction, pi's own compaction at `cap`, which is the largest
 * request of the automatic budget, and cwl under the automatic budget.
 * @throws CwlError `bad-sweep` without a policy
 */
export function whatIfArms(
	budgets: readonly number[],
	policies: readonly ReplayPolicy[],
	cap: number = budgetTokens({ type: "auto" }, undefined),
): readonly Arm[] {
	const bounded = policies.filter(({ name }) => name !== "none");
	if (bounded.length === 0) {
		throw new CwlError("bad-sweep", "--what-if compares budgets: name a policy other than none.");
	}
	const under = (budget: number, all: readonly ReplayPolicy[]) =>
		armsUnder(budget, all).map((arm) => ({ ...arm, name: `${arm.name}@${formatTokens(budget)}` }));
	const underEach = budgets.flatMap((budget) => under(budget, bounded));
	const compaction = under(cap, parsePolicies("compaction"));
	return [
		...armsUnder(Math.min(...budgets), parsePolicies("none")),
		...compaction.filter(({ name }) => !underEach.some((arm) => arm.name === name)),
		...armsUnder(cap, parsePolicies("cwl"), true).map((arm) => ({ ...arm, name: "cwl@auto" })),
		...underEach,
	];
}
