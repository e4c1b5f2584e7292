import type { ReplayPolicy } from "../policies/replay-policy.ts";

/** One side of a comparison: a contender under a budget. */
export interface Arm {
	/** The contender's name; with its budget where one contender runs under several. */
	readonly name: string;
	readonly contender: ReplayPolicy;
	/** Tokens. */
	readonly budget: number;
}

/** One arm for each contender, all under one budget in tokens. */
export function armsUnder(budget: number, contenders: readonly ReplayPolicy[]): readonly Arm[] {
	return contenders.map((contender) => ({ name: contender.name, contender, budget }));
}
