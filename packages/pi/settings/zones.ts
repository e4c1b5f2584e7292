/** The ends of the footer's zones as people write them: three shares of the budget, rising. */
import { Type } from "typebox";
import type { ZoneEnds } from "#core";

const Share = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
export const ZonesSchema = Type.Unsafe<ZoneEnds>(Type.Tuple([Share, Share, Share]));

/** A list, or the same with commas as a variable holds it; undefined for one that does not rise. */
export function parseZones(raw: unknown): unknown {
	const parts: unknown = typeof raw === "string" ? raw.split(",").map(Number) : raw;
	const rises = Array.isArray(parts) && parts.every((part, at) => at === 0 || parts[at - 1] < part);
	return rises ? parts : undefined;
}
