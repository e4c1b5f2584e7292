import { budgetTokens, formatTokens } from "#pi";
import { parsePolicies } from "../policies/registry.ts";
import { type Arm, armsUnder } from "./arm.ts";

/** Of the default policy, cheapest first. */
const contenders = ["cwl-economy", "cwl", "cwl-quality"];
/** The name of the arm with the default settings. */
const AUTO = "cwl@auto";

/** Uncapped and the automatic budget once, to compare with, and the default policy under each budget in each of its settings. */
export function whatIfArms(budgets: readonly number[], contextWindow?: number): readonly Arm[] {
	const arms = budgets.flatMap((budget) =>
		parsePolicies(contenders.join()).map((contender) => ({
			name: `${contender.name}@${formatTokens(budget)}`,
			contender,
			budget,
		})),
	);
	const [none] = parsePolicies("none");
	const uncapped = none ? [{ name: "none", contender: none, budget: Math.min(...budgets) }] : [];
	const auto = armsUnder(budgetTokens({ type: "auto" }, contextWindow), parsePolicies("cwl"), true);
	return [...uncapped, ...auto.map((arm) => ({ ...arm, name: AUTO })), ...arms];
}
