/** Keeps episodes that the user has just brought back out of the very next pass. */
import type { EpisodeId } from "../graph/graph.ts";
import type { PlanInput, Policy } from "./policy.ts";

/** The policy, which treats these episodes as pinned as long as it can meet the budget without them. */
export function sparing(policy: Policy, spared: ReadonlySet<EpisodeId>): Policy {
	if (spared.size === 0) return policy;
	const keep = (input: PlanInput) => ({ ...input, pinned: new Set([...(input.pinned ?? []), ...spared]) });
	return {
		...policy,
		plan(input) {
			const pass = policy.plan(keep(input));
			return pass && pass.after > input.budget ? policy.plan(input) : pass;
		},
	};
}
