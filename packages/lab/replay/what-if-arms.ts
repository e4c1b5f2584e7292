import { formatTokens } from "#pi";
import { parsePolicies } from "../policies/registry.ts";
import type { Arm } from "./arm.ts";

/** Of the default policy, cheapest first. */
const contenders = ["cwl-economy", "cwl", "cwl-quality"];

/** Uncapped once, to compare with, and the default policy under each budget in each of its settings. */
export function whatIfArms(budgets: readonly number[]): readonly Arm[] {
	const arms = budgets.flatMap((budget) =>
		parsePolicies(contenders.join()).map((contender) => ({
			name: `${contender.name}@${formatTokens(budget)}`,
			contender,
			budget,
		})),
	);
	const [none] = parsePolicies("none");
	const uncapped = none ? [{ name: "none", contender: none, budget: Math.min(...budgets) }] : [];
	return [...uncapped, ...arms];
}
