/** Answers that the model gave outside of its episodes: each is an inferred episode of its own. */
import type { Episode } from "#core/graph";

/** Returns true for unmarked words without a call: a row of its own would say nothing. */
export function isUnmarkedAnswer({ origin, items }: Pick<Episode, "origin" | "items">): boolean {
	const isWords = items.every(({ type }) => type === "text" || type === "reasoning");
	return origin === "inferred" && items.length > 0 && isWords;
}
