/** Figures in text: `{hard:cwl-80k.cost:dollars}`, or the ratio of two rows, `{hard:cwl-80k/compaction-80k.cost:percent}`. */
import { dollars, millions, percent, thousands } from "../figures.ts";
import { bestCompaction, type Kept, rowOf } from "./kept.ts";

const formats: Readonly<Record<string, (value: number) => string>> = {
	dollars,
	thousands,
	million: millions,
	/** Of a share of 1. */
	percent: (share) => percent(share),
	tenths: (share) => percent(share, 1),
	less: (share) => percent(1 - share),
	more: (share) => percent(share - 1),
	change: (share) => `${share < 1 ? "-" : "+"}${percent(Math.abs(share - 1))}`,
	times: (value) => value.toFixed(2),
	share: (value) => value.toFixed(3),
	whole: (value) => value.toFixed(0),
};

/** @throws RangeError naming what the kept figures lack */
export function figureAt(kept: Kept, path: string): number {
	const [, file = "", names = "", field = ""] = /^([^:]+):(.+)\.(\w+)$/.exec(path) ?? [];
	const [value = Number.NaN, base = 1] = names.split("/").map((name) => rowOf(kept, file, name)[field]);
	if (Number.isNaN(value / base)) throw new RangeError(`the kept figures have no ${path}.`);
	return value / base;
}

/** The text with figures in place of the paths in braces. */
export function fillFigures(kept: Kept, text: string): string {
	return text.replace(/\{([\w-]+:[^{}:]+)(?::(\w+))?\}/g, (_, path: string, format = "whole") => {
		const [file = "", name] = path.split(":");
		if (name === "best") return bestCompaction(kept.get(file)?.rows ?? {}).replace("compaction-", "");
		return (formats[format] ?? String)(figureAt(kept, path));
	});
}

/** A page writes a figure as `<!-- {path:format} -->$6.28<!-- -->`, so that a reader sees the figure alone. */
export const MARKED = /<!-- (\{[^}]+\}) -->[^<]*<!-- -->/g;

/** The page with its marked figures as the kept files have them. */
export const renderFigures = (kept: Kept, page: string): string =>
	page.replace(MARKED, (_, path: string) => `<!-- ${path} -->${fillFigures(kept, path)}<!-- -->`);
