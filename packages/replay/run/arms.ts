/** The sides that a run compares, each a policy under a budget. */
import type { ReplayPolicy } from "../policies/replay-policy.ts";

/** One side of a comparison: a policy under a budget. */
export interface Arm {
	/** The policy's name; with its budget where one policy runs under several. */
	readonly name: string;
	readonly policy: ReplayPolicy;
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	/** True for an automatic budget. */
	readonly isAuto?: boolean;
}

/** One arm for each policy, all under one budget in tokens. */
export function armsUnder(budget: number, policies: readonly ReplayPolicy[], isAuto = false): readonly Arm[] {
	return policies.map((policy) => ({ name: policy.name, policy, budget, isAuto }));
}
