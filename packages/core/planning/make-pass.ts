/** The last step of every plan: from the strips to the pass that the log keeps. */

import type { Graph } from "../graph/graph.ts";
import type { IndexLine, Pass, Strip } from "../log/pass.ts";
import { findBlockers } from "./blockers.ts";
import type { PlanInput } from "./policy.ts";

/** Assembles a pass from its strips; names the blockers if it missed the budget. */
export function makePass(
	policy: string,
	input: PlanInput,
	before: number,
	after: number,
	strips: readonly Strip[],
	indexLines: readonly IndexLine[] = [],
): Pass {
	const { budget } = input;
	const blockers = after > budget ? findBlockers(input, strips, after) : [];
	const parts = { strips, ...(indexLines.length > 0 && { folds: indexLines }), blockers };
	return { version: 1, policy, budget, before, after, ...parts, ...newestOf(input) };
}

/** The last item of the session, which dates a pass. */
export function newestOf({ graph }: { readonly graph: Graph }): Pick<Pass, "newest"> {
	const { newest } = graph.history;
	return newest === undefined ? {} : { newest };
}
