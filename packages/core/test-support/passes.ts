import type { Pass, Strip } from "../log/pass.ts";

/** A pass that does only what is given. */
export function passWith(change: Partial<Pass> = {}): Pass {
	const sizes = { version: 1, budget: 0, before: 0, after: 0 } as const;
	return { ...sizes, policy: "paper", strips: [], blockers: [], ...change };
}

/** A pass that takes these items of an episode, at level 3 unless given. */
export function passTaking(
	episode: string,
	items: Strip["items"],
	tokens = 0,
	change: Partial<Strip> = {},
): Pass {
	return passWith({ strips: [{ episode, level: 3, items, tokens, ...change }] });
}
