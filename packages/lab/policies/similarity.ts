/** How much of what a block shows a younger one shows again, by shingles and with no model. */
import type { Block, Moment } from "./blocks.ts";
import type { SessionTexts } from "./session-texts.ts";

/** Shorter blocks are alike by accident; in shingles. */
const FEWEST = 12;

/** For each block of a moment the highest Jaccard similarity with a younger block, between 0 and 1. */
export function similarToYounger({ graph, blocks }: Moment, texts: SessionTexts): readonly number[] {
	/** By shingle, the places of the younger blocks that hold it. */
	const holders = new Map<number, number[]>();
	const sets = blocks.map((block) => shinglesOf(block));
	const similarities = new Array<number>(blocks.length).fill(0);
	for (let place = blocks.length - 1; place >= 0; place--) {
		const set = sets[place] ?? new Set();
		if (set.size < FEWEST) continue;
		const common = new Map<number, number>();
		for (const shingle of set) {
			for (const younger of holders.get(shingle) ?? []) common.set(younger, (common.get(younger) ?? 0) + 1);
		}
		for (const [younger, count] of common) {
			const either = set.size + (sets[younger]?.size ?? 0) - count;
			similarities[place] = Math.max(similarities[place] ?? 0, count / either);
		}
		for (const shingle of set) {
			const known = holders.get(shingle);
			if (known) known.push(place);
			else holders.set(shingle, [place]);
		}
	}
	return similarities;

	/** Of an output without its call: two calls for one file are alike whatever came of them. */
	function shinglesOf({ type, items }: Block): ReadonlySet<number> {
		const [first] = items;
		const shown = first && type === "output" ? (graph.resultOf.get(first.id) ?? first) : first;
		return shown ? texts.shinglesOf(graph, shown) : new Set();
	}
}
