/** The last step of every plan: from the strips to the pass that the log keeps. */

import type { Graph } from "../graph/graph.ts";
import { createIncrementalFold } from "../graph/incremental-fold.ts";
import type { IndexLine, Pass, Strip } from "../log/pass.ts";
import type { ItemId } from "../transcript/transcript.ts";
import { findBlockers } from "./blockers.ts";
import type { PlanInput } from "./plan.ts";

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
	const { id } = readNewest(graph.messages);
	return id === undefined ? {} : { newest: id };
}

/** The last item of a session, evicted or not. */
const readNewest = createIncrementalFold<{ id: ItemId | undefined }>(
	() => ({ id: undefined }),
	(newest, { items }) => {
		newest.id = items.at(-1)?.id ?? newest.id;
	},
);
