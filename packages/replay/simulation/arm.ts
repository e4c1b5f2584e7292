import type { ModelPrices } from "#core/prices";
import type { ReplayPolicy } from "../policies/replay-policy.ts";

/** One side of a comparison: a contender under a budget. */
export interface Arm {
	/** The contender's name; with its budget where one contender runs under several. */
	readonly name: string;
	readonly contender: ReplayPolicy;
	/** Tokens; the attention cap of an automatic budget. */
	readonly budget: number;
	/** True for an automatic budget. */
	readonly isAuto?: boolean;
	/** Prices that it is decided at, in place of those of the run. */
	readonly modelPrices?: ModelPrices;
	/** True to replay it as on a model that checks thinking, whatever the model of the run. */
	readonly checksThinking?: boolean;
}

/** One arm for each contender, all under one budget in tokens. */
export function armsUnder(
	budget: number,
	contenders: readonly ReplayPolicy[],
	isAuto = false,
): readonly Arm[] {
	return contenders.map((contender) => ({ name: contender.name, contender, budget, isAuto }));
}
