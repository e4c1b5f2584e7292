import { budgetTokens, CwlError, formatTokens } from "#pi";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { type Arm, armsUnder } from "./arm.ts";

const UNCAPPED = "none";
/** The name of the arm with the default settings. */
const AUTO = "cwl@auto";

/**
 * Uncapped and the automatic budget once, to compare with, and each policy under each budget.
 * @throws CwlError `bad-sweep` without a policy
 */
export function whatIfArms(
	budgets: readonly number[],
	policies: readonly ReplayPolicy[],
	contextWindow?: number,
): readonly Arm[] {
	const capped = policies.filter(({ name }) => name !== UNCAPPED);
	if (capped.length === 0) {
		throw new CwlError("bad-sweep", "--what-if compares budgets: name a policy other than none.");
	}
	const arms = budgets.flatMap((budget) =>
		capped.map(
			(contender): Arm => ({ name: `${contender.name}@${formatTokens(budget)}`, contender, budget }),
		),
	);
	const auto = armsUnder(budgetTokens({ type: "auto" }, contextWindow), parsePolicies("cwl"), true);
	return [
		...armsUnder(Math.min(...budgets), parsePolicies(UNCAPPED)),
		...auto.map((arm) => ({ ...arm, name: AUTO })),
		...arms,
	];
}
