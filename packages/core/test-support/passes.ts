import type { Pass } from "../log/pass.ts";

/** A pass that does only what is given. */
export function passWith(change: Partial<Pass> = {}): Pass {
	const sizes = { version: 1, budget: 0, before: 0, after: 0 } as const;
	return { ...sizes, policy: "paper", strips: [], blockers: [], ...change };
}
