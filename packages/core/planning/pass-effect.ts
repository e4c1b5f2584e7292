/** The effect of a pass on the requests after it. */

import { totalTokens } from "../ledger/ledger.ts";
import type { Pass } from "../log/pass.ts";
import type { PlanInput } from "./policy.ts";
import { tokensBeforeCut } from "./prefix-cut.ts";

/** In tokens. */
export interface PassEffect {
	/** Tokens that every later request saves. */
	readonly freed: number;
	/** Tokens that the provider had cached and the next request sends anew: everything behind the cut. */
	readonly rewritten: number;
}

/** The effect of a pass that was planned from this input. What stands in front of its cut, it leaves as it is. */
export function passEffect({ graph, view, fixed }: PlanInput, pass: Pass): PassEffect {
	const freed = pass.before - pass.after;
	const total = totalTokens(graph, view, fixed) - freed;
	const kept = fixed.system + fixed.tools + tokensBeforeCut(graph, view, pass);
	return { freed, rewritten: total - kept };
}
