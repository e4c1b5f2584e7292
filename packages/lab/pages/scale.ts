/** From figures to places on a chart. */

export interface Scale {
	/** Place of a value, in pixels. */
	at(value: number): number;
	/** Round values to label, ascending. */
	readonly ticks: readonly number[];
}

type Range = readonly [from: number, to: number];

/** Even steps. A domain without extent is widened, so that its value stands in the middle. */
export function linearScale([low, high]: Range, [from, to]: Range, count = 5): Scale {
	const [start, end] = low === high ? [low - 1, high + 1] : [low, high];
	const step = niceStep((end - start) / count);
	const first = Math.ceil(start / step - 1e-9);
	const last = Math.floor(end / step + 1e-9);
	const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => round((first + i) * step));
	return { at: (value) => from + ((value - start) / (end - start)) * (to - from), ticks };
}

/** Even factors; for positive values only. */
export function logScale([low, high]: Range, [from, to]: Range, count = 5): Scale {
	const inner = linearScale([Math.log(low), Math.log(high)], [from, to], count);
	const ticks: number[] = [];
	const isDense = high / low < 20;
	const steps = isDense ? [1, 1.5, 2, 3, 4, 5, 6, 8] : [1, 2, 5];
	for (let decade = 10 ** Math.floor(Math.log10(low)); decade <= high; decade *= 10) {
		ticks.push(...steps.map((step) => round(step * decade)).filter((tick) => tick >= low && tick <= high));
	}
	return { at: (value) => inner.at(Math.log(value)), ticks };
}

/** The values with some room on both sides, `share` of their extent. */
export function extentOf(values: readonly number[], share = 0.06): Range {
	const [low, high] = [Math.min(...values), Math.max(...values)];
	const room = share * (high - low);
	return [low - room, high + room];
}

/** 1, 2 or 5 times a power of ten, at least so much. */
function niceStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
	return factor * power;
}

/** Away with what floating point leaves behind. */
function round(value: number): number {
	return Number(value.toPrecision(12));
}
