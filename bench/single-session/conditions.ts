/** The conditions that a run compares: the manager of the context, the budget, one session or many, and the marks of the model. */
import { formatTokens } from "#basics";
import type { Dial } from "#core/planning";
import { policyNames } from "#pi/session";
import { budgetTokens, parseBudget } from "#pi/settings";
import { parsePolicies } from "#replay/policies";
import { type BadMarks, faults } from "./bad-marks.ts";
import { findSummarizer } from "./summaries.ts";

export interface Condition extends ReturnType<typeof readSettings> {
	/** Such as `isolated` or `cwl-80k`. */
	readonly name: string;
	/** Tokens. */
	readonly budget: number;
	/** True for the automatic budget, whose largest size `budget` is. */
	readonly isAuto: boolean;
	readonly mode: "isolated" | "single";
	/** The manager of the context: our extension, pi's own compaction, or a policy of `cwl replay`. */
	readonly manager: "cwl" | "pi" | "replay";
}

/** The policy of an arm of `live` that another extension manages. */
export const PEER = "peer";

/** A budget in tokens that no single task comes near. */
const AMPLE_BUDGET = 80_000;
/** The default policy with a setting of its dial is `cwl-economy`, for example. */
const isDial = (name: string | undefined): name is Dial => /^(economy|balanced|quality)$/.test(name ?? "");

/**
 * The conditions of a comma-separated list: `isolated`, `compaction`, a policy of the extension with its settings, or any policy of
 * `cwl replay`. Each comes once per budget of the second list, or under the budget that its name ends with, such as `cwl@auto`.
 * `isolated` and `none` come once.
 * @throws CwlError `unknown-policy`, or of a budget
 */
export function parseConditions(list: string, budgets: string): readonly Condition[] {
	return [...new Set(list.split(",").map((name) => name.trim()))].flatMap((given): readonly Condition[] => {
		const [policy = "", own = budgets] = given.split("@");
		const sizes = own.split(",").map((size) => parseBudget(size.trim()));
		const tokens = sizes.map((size) => budgetTokens(size, undefined));
		if (policy === "isolated") {
			const budget = Math.max(AMPLE_BUDGET, ...tokens);
			const settings = readSettings("cwl");
			return [{ ...settings, name: policy, budget, isAuto: false, mode: "isolated", manager: "cwl" }];
		}
		const settings = readSettings(policy);
		const manager = findManager(settings);
		const isOnce = policy === "none";
		return (isOnce ? sizes.slice(0, 1) : sizes).map((size, index) => {
			const isAuto = size.type === "auto";
			const budget = tokens[index] ?? AMPLE_BUDGET;
			const name = isOnce ? policy : `${policy}-${isAuto ? "auto" : formatTokens(budget)}`;
			return { ...settings, name, budget, isAuto, mode: "single", manager };
		});
	});
}

/** The settings that the name of a policy holds, such as `cwl-economy-without-recall-flipped-50`. */
export function readSettings(name: string) {
	const damage = new RegExp(`^(.+)-(${faults.join("|")})-(\\d{1,3})$`).exec(name);
	const fault = faults.find((known) => known === damage?.[2]);
	const marks: BadMarks | undefined = fault && { fault, share: Number(damage?.[3]) };
	const whole = damage?.[1] ?? name;
	const policy = whole.replace(/-without-(recall|marks)$/, "");
	const dial = policy.startsWith("cwl-") ? policy.slice("cwl-".length) : undefined;
	const own = isDial(dial) ? { policy: "cwl", lowWater: dial } : { policy, lowWater: "balanced" as const };
	return {
		...own,
		/** Without the recall tool a run shows what it is worth. */
		hasRecall: !whole.endsWith("-without-recall"),
		/** False leaves out the delimiter tool. */
		hasMarks: !whole.endsWith("-without-marks"),
		marks,
	};
}

function findManager({ policy }: ReturnType<typeof readSettings>): Condition["manager"] {
	if (policy === PEER || findSummarizer(policy)) return "pi";
	if (policyNames().includes(policy)) return "cwl";
	// Throws an error that lists the known policies.
	parsePolicies(policy);
	return "replay";
}
