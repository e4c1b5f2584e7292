/** How much of the model's own reasoning it can still read. */
import type { Graph } from "../graph/graph.ts";
import type { Pass } from "../log/pass.ts";
import type { View } from "../log/view.ts";
import { sumTokens } from "../transcript/transcript.ts";

/** Tokens of thinking in a session. */
export interface ReadableThinking {
	/** Everything that the model has thought. */
	readonly all: number;
	/** Tokens that the next request sends. */
	readonly readable: number;
	/** Tokens that passes took, because they were bound to what these changed (design rule 19). */
	readonly forfeited: number;
}

/** Measures the next request of a session. Linear in its history. */
export function measureReadableThinking(
	{ messages }: Graph,
	{ removed }: View,
	log: readonly Pass[],
): ReadableThinking {
	const thinking = messages.flatMap(({ items }) => items.filter(({ type }) => type === "reasoning"));
	return {
		all: sumTokens(thinking),
		readable: sumTokens(thinking.filter(({ id }) => !removed.has(id))),
		forfeited: log.reduce((sum, { forfeited = 0 }) => sum + forfeited, 0),
	};
}
