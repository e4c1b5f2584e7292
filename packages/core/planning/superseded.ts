/**
 * Lines that younger outputs show again, among those that are still sent: they lower the chance of a second look
 * (`chance.ts`). Reads that repeat what was shown before are another matter, regret (`log/regret.ts`).
 */
import { digestOf } from "../transcript/transcript.ts";
import type { Candidate, Unit } from "./units.ts";

/**
 * For each unit the share of its lines, between 0 and 1, that no younger unit shows. One without lines to compare, such
 * as an image, is shown by no other. Linear in the lines.
 */
export function measureFreshness(units: readonly Unit[]): ReadonlyMap<Candidate, number> {
	const isShown = new Set<number>();
	const shares = new Map<Candidate, number>();
	for (const unit of units.toSorted((a, b) => b.call.message - a.call.message)) {
		const lines = [unit.call, ...(unit.result ? [unit.result] : [])].flatMap(
			(item) => digestOf(item)?.lines ?? [],
		);
		const fresh = lines.filter((line) => !isShown.has(line)).length;
		shares.set(unit, lines.length === 0 ? 1 : fresh / lines.length);
		for (const line of lines) isShown.add(line);
	}
	return shares;
}
