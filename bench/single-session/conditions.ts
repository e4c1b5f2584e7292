/** The conditions that a run compares: the manager of the context, the budget, and one session or many. */

import { CwlError, formatTokens, policyNames } from "#pi";
import { parsePolicies } from "#replay";
import { readBadMarks } from "./bad-marks.ts";
import { isSummarizer } from "./summariser.ts";

export interface Condition {
	/** Such as `isolated` or `cwl-80k`. */
	readonly name: string;
	readonly policy: string;
	/** Tokens. */
	readonly budget: number;
	readonly mode: "isolated" | "single";
	/** The manager of the context: our extension, pi's own compaction, or a policy of `cwl replay`. */
	readonly manager: "cwl" | "pi" | "replay";
}

/** A budget in tokens that no single task comes near. */
const AMPLE_BUDGET = 80_000;
/** Policies that no budget changes. */
const UNBUDGETED = new Set(["none", "masking", "context-folding"]);
/** The default policy with a setting of its own. */
const ECONOMY = "cwl-economy";
/** At the end of a policy of the extension: the same without its recall tool, which shows what the tool is worth. */
const WITHOUT_RECALL = "-without-recall";
/** The same where the worker recalls files that left instead of reading them again. */
const BY_RECALL = "-by-recall";

/**
 * The conditions of a comma-separated list: `isolated`, `compaction` with one of its summarizers, a policy of the
 * extension, with or without its recall tool and with bad marks, or any policy of `cwl replay`. Each comes once per budget, except for `isolated` and policies without a budget.
 * @throws CwlError `unknown-policy`
 */
export function parseConditions(list: string, budgets: readonly number[]): readonly Condition[] {
	const [first] = budgets;
	if (first === undefined) throw new CwlError("bad-budget", "No budget was given. Use one such as 80k.");
	return [...new Set(list.split(",").map((name) => name.trim()))].flatMap((policy): readonly Condition[] => {
		if (policy === "isolated") {
			const budget = Math.max(AMPLE_BUDGET, ...budgets);
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

/** The settings of the extension in a condition that it manages. */
export function extensionSettings(condition: Pick<Condition, "policy">) {
	const { policy } = readBadMarks(condition.policy);
	const hasRecall = !policy.endsWith(WITHOUT_RECALL);
	const name = policy.replace(new RegExp(`(?:${WITHOUT_RECALL}|${BY_RECALL})$`), "");
	if (name === ECONOMY) return { policy: "cwl", lowWater: "economy", hasRecall } as const;
	return { policy: name, lowWater: "balanced", hasRecall } as const;
}

/** How the worker gets files back that left the context. */
export const repairOf = ({ policy }: Pick<Condition, "policy">) =>
	readBadMarks(policy).policy.endsWith(BY_RECALL) ? "recall" : "reading";

/** Returns true for a condition that the real pi cannot run: marks without our extension, bad marks, or the extension without recall. */
export const isOnlyInProcess = (condition: Condition): boolean =>
	(condition.manager === "replay" && hasMarks(condition)) ||
	!extensionSettings(condition).hasRecall ||
	readBadMarks(condition.policy).marks !== undefined;

/** Returns true if the agent marks its work: our extension asks for it, and Context-Folding goes by the marks. */
export const hasMarks = ({ manager, policy }: Condition): boolean =>
	manager === "cwl" || policy === "context-folding";

function findManager(policy: string): Condition["manager"] {
	if (isSummarizer(policy)) return "pi";
	if (policyNames().includes(extensionSettings({ policy }).policy)) return "cwl";
	// Throws an error that lists the known policies.
	parsePolicies(policy);
	return "replay";
}
