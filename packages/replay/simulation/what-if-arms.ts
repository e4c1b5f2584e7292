import { budgetTokens, CwlError, formatTokens } from "#pi";
import { parsePolicies } from "../policies/registry.ts";
import type { ReplayPolicy } from "../policies/replay-policy.ts";
import { type Arm, armsUnder } from "./arm.ts";

const UNCAPPED = "none";
/** The name of the arm with the default settings. */
const AUTO = "cwl@auto";

/** The policy that a user of pi has without cwl; at the largest request of the automatic budget. */
const STATUS_QUO = "compaction";

/**
 * Uncapped, pi's own compaction and the automatic budget once, to compare with, and each policy under each budget.
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
	const cap = budgetTokens({ type: "auto" }, contextWindow);
	const auto = armsUnder(cap, parsePolicies("cwl"), true);
	const quo = armsUnder(cap, parsePolicies(STATUS_QUO)).map((arm) => {
		return { ...arm, name: `${STATUS_QUO}@${formatTokens(cap)}` };
	});
	return [
		...armsUnder(Math.min(...budgets), parsePolicies(UNCAPPED)),
		...quo.filter(({ name }) => !arms.some((arm) => arm.name === name)),
		...auto.map((arm) => ({ ...arm, name: AUTO })),
		...arms,
	];
}
