/** Sizes in a log that was read from a file: a line counts what it is, not what the file says that it is. */
import type { Marker, Pass } from "./pass.ts";

/** The pass with the tokens of its lines counted anew; sizes of strips are recounted from the items (`recount.ts`). */
export function recountLines(pass: Pass, countMarker: (text: string) => number): Pass {
	const recount = (marker: Marker): Marker => ({ ...marker, tokens: countMarker(marker.text) });
	return {
		...pass,
		strips: pass.strips.map((strip) => (strip.marker ? { ...strip, marker: recount(strip.marker) } : strip)),
		...(pass.folds && { folds: pass.folds.map((line) => ({ ...line, marker: recount(line.marker) })) }),
	};
}
