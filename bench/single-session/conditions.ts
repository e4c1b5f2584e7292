/** The conditions that a run compares: who manages the context, under which budget, in one session or many. */

import { parsePolicies } from "#lab";
import { CwlError, formatTokens, policyNames } from "#pi";

export interface Condition {
	/** Such as `isolated` or `cwl-80k`. */
	readonly name: string;
	readonly policy: string;
	/** Tokens. */
	readonly budget: number;
	readonly mode: "isolated" | "single";
	/** Whose policy it is: our extension's, pi's own compaction, or one of the replay's. */
	readonly manager: "cwl" | "pi" | "contender";
}

/** A budget in tokens that no single task comes near. */
const UNPRESSED = 80_000;
/** Policies that no budget changes. */
const UNBUDGETED = new Set(["none", "masking"]);

/**
 * The conditions of a comma-separated list: `isolated`, `compaction`, a policy of the extension, or any contender of
 * `cwl replay`. All but `isolated`, which is never pressed, and those that know no budget come once a budget.
 * @throws CwlError `unknown-policy`
 */
export function parseConditions(list: string, budgets: readonly number[]): readonly Condition[] {
	const [first] = budgets;
	if (first === undefined) throw new CwlError("bad-budget", "no budget was given: use one such as 80k.");
	return [...new Set(list.split(",").map((name) => name.trim()))].flatMap((policy): readonly Condition[] => {
		if (policy === "isolated") {
			const budget = Math.max(UNPRESSED, ...budgets);
			return [{ name: policy, policy: "cwl", budget, mode: "isolated", manager: "cwl" }];
		}
		const manager = findManager(policy);
		const isOnce = UNBUDGETED.has(policy.split(":")[0] ?? "");
		return (isOnce ? [first] : budgets).map((budget) => ({
			name: isOnce ? policy : `${policy}-${formatTokens(budget)}`,
			policy,
			budget,
			mode: "single",
			manager,
		}));
	});
}

function findManager(policy: string): Condition["manager"] {
	if (policy === "compaction") return "pi";
	if (policyNames().includes(policy)) return "cwl";
	// Says which ones there are when this is none of them.
	parsePolicies(policy);
	return "contender";
}
