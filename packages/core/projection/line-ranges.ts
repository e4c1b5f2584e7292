/** The lines of a file that an evicted episode saw, as its line names them. */
import { digestOf, type FileView, type Item } from "../transcript/transcript.ts";

/** More ranges say little more than the stretch that holds them. */
const MAX_RANGES = 3;

type Range = readonly [first: number, last: number];

/** The ranges that calls asked for, by file; adjacent ones joined, at most three a file. */
export function rangesByFile(items: readonly Item[]): ReadonlyMap<string, string> {
	const ranges = new Map<string, Range[]>();
	for (const { path, first, last } of items.flatMap(viewsOf)) {
		const known = ranges.get(path);
		if (known) known.push([first, last]);
		else ranges.set(path, [[first, last]]);
	}
	return new Map([...ranges].map(([path, of]) => [path, rangesText(of)]));
}

function viewsOf(item: Item): readonly FileView[] {
	return item.type === "call" ? (digestOf(item)?.views ?? []) : [];
}

/** As in `1-80 200-240`; a range up to the end of the file has no last line. */
function rangesText(ranges: readonly Range[]): string {
	const joined = joinClosest(joinAdjacent(ranges.toSorted(([a], [b]) => a - b)));
	return joined.map(([first, last]) => `${first}-${last === Infinity ? "" : last}`).join(" ");
}

function joinAdjacent(sorted: readonly Range[]): readonly Range[] {
	const joined: Range[] = [];
	for (const [first, last] of sorted) {
		const before = joined.at(-1);
		if (before && first <= before[1] + 1) joined[joined.length - 1] = [before[0], Math.max(before[1], last)];
		else joined.push([first, last]);
	}
	return joined;
}

/** Fills the smallest gaps until few enough ranges are left. */
function joinClosest(ranges: readonly Range[]): readonly Range[] {
	if (ranges.length <= MAX_RANGES) return ranges;
	const gaps = ranges.slice(1).map(([first], index) => first - (ranges[index]?.[1] ?? 0));
	const narrowest = gaps.indexOf(Math.min(...gaps));
	const joined = ranges.flatMap((range, index): readonly Range[] => {
		if (index === narrowest + 1) return [];
		return index === narrowest ? [[range[0], ranges[index + 1]?.[1] ?? range[1]]] : [range];
	});
	return joinClosest(joined);
}
