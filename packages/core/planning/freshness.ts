/** How much of what a unit shows can be seen nowhere else: what a later call shows again is superseded. */
import type { LineSightings } from "../history/line-sightings.ts";
import type { Unit } from "./units.ts";

/**
 * For each unit the share of its lines, between 0 and 1, that no younger unit shows. One without lines to compare
 * counts as superseded. Linear in the lines.
 */
export function measureFreshness(
	units: readonly Unit[],
	{ linesOf, lineNumbers }: LineSightings,
): ReadonlyMap<Unit, number> {
	const isShown = new Uint8Array(lineNumbers.size);
	const shares = new Map<Unit, number>();
	for (const unit of units.toSorted((a, b) => b.call.message - a.call.message)) {
		const lines = [unit.call, ...(unit.result ? [unit.result] : [])].flatMap(
			({ id }) => linesOf.get(id) ?? [],
		);
		const fresh = lines.filter((line) => isShown[line] === 0).length;
		shares.set(unit, lines.length === 0 ? 0 : fresh / lines.length);
		for (const line of lines) isShown[line] = 1;
	}
	return shares;
}
