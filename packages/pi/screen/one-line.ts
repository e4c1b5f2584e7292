/** Picks the longest wording that fits one line. */
import { shorten, widthOf } from "./columns.ts";

/** The first of the wordings that fits, the longest first; the last one is cut when even that is too wide. */
export function oneLine(wordings: readonly [string, ...string[]], width = Infinity): string {
	const fitting = wordings.find((wording) => widthOf(wording) <= width);
	return fitting ?? shorten(wordings.at(-1) ?? wordings[0], width);
}
