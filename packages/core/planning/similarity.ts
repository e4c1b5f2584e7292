/** How much of what an output shows a younger output shows again, by shingles and with no model. */
import type { ToolCall } from "../transcript/transcript.ts";
import type { Scene } from "./candidates.ts";
import { shinglesIn } from "./item-texts.ts";
import type { Unit } from "./units.ts";

/** Shorter outputs are alike by accident; in shingles. */
const FEWEST = 12;

/** The younger output that is most like another one. */
export interface Twin {
	readonly unit: Unit;
	/** Jaccard similarity, above 0 and up to 1. */
	readonly similarity: number;
}

/** For each output that is still sent, the younger one most like it. Two calls for one file may answer different things, so calls do not count. */
export function findTwins({ input, sight }: Pick<Scene, "input" | "sight">): ReadonlyMap<ToolCall, Twin> {
	const units = sight.units
		.filter(({ isWork }) => isWork)
		.toSorted((a, b) => b.call.message - a.call.message);
	const sets = units.map(({ result }) => (result ? shinglesIn(input, result) : new Set<number>()));
	/** By shingle, the places of the younger outputs that hold it. */
	const holders = new Map<string | number, number[]>();
	const twins = new Map<ToolCall, Twin>();
	for (const [place, unit] of units.entries()) {
		const set = sets[place] ?? new Set();
		if (set.size < FEWEST) continue;
		const twin = closest(set);
		if (twin) twins.set(unit.call, twin);
		for (const shingle of set) {
			const known = holders.get(shingle);
			if (known) known.push(place);
			else holders.set(shingle, [place]);
		}
	}
	return twins;

	function closest(set: ReadonlySet<string | number>): Twin | undefined {
		const common = new Map<number, number>();
		for (const shingle of set) {
			for (const place of holders.get(shingle) ?? []) common.set(place, (common.get(place) ?? 0) + 1);
		}
		let best: Twin | undefined;
		for (const [place, count] of common) {
			const unit = units[place];
			const similarity = count / (set.size + (sets[place]?.size ?? 0) - count);
			if (unit && similarity > (best?.similarity ?? 0)) best = { unit, similarity };
		}
		return best;
	}
}
