/** Figures in text: `{hard:cwl-80k.cost:dollars}`, or the ratio of two rows, `{hard:cwl-80k/compaction-80k.cost:percent}`. */
import { dollars, millions, percent, whole } from "../figures.ts";
import { bestCompaction, type Kept, rowOf } from "./kept.ts";

const formats: Readonly<Record<string, (value: number) => string>> = {
	dollars,
	million: millions,
	/** Of a share of 1. */
	percent: (share) => percent(share),
	tenths: (share) => percent(share, 1),
	less: (share) => percent(1 - share),
	change: (share) => `${share < 1 ? "-" : "+"}${percent(Math.abs(share - 1))}`,
	times: (value) => value.toFixed(2),
	share: (value) => value.toFixed(3),
	whole,
};

/** @throws RangeError naming what the kept figures lack */
export function figureAt(kept: Kept, path: string): number {
	const [, file = "", names = "", field = ""] = /^([^:]+):(.+)\.(\w+)$/.exec(path) ?? [];
	const [value = Number.NaN, base = 1] = names.split("/").map((name) => rowOf(kept, file, name)[field]);
	if (Number.isNaN(value / base)) throw new RangeError(`the kept figures have no ${path}.`);
	return value / base;
}

/** The kinds of damaged marks whose cost exceeds that of a row of compaction, with short and with longer answers. */
function listDearerMarks(kept: Kept, compaction: string): string {
	const kinds = ["", "-300"].flatMap((length) => {
		const limit = rowOf(kept, `hard${length}`, compaction).cost ?? Number.NaN;
		const rows = Object.entries(kept.get(`marks${length}`)?.rows ?? {});
		const dearer = rows.filter(([, { cost = 0 }]) => cost > limit);
		return dearer.map(([name]) => name.slice("cwl-".length, -"-80k".length) + length.replace("-", ", +"));
	});
	return kinds.map((kind) => `\`${kind}\``).join("; ") || "none";
}

/** The text with figures in place of the paths in braces. */
export function fillFigures(kept: Kept, text: string): string {
	return text.replace(/\{([\w-]+:[^{}:]+)(?::(\w+))?\}/g, (_, path: string, format = "whole") => {
		const [file = "", name] = path.split(":");
		if (name === "best") return bestCompaction(kept.get(file)?.rows ?? {}).replace("compaction-", "");
		if (file === "dearer") return listDearerMarks(kept, name ?? "");
		return (formats[format] ?? String)(figureAt(kept, path));
	});
}

/** A page writes a figure as `<!-- {path:format} -->$6.28<!-- -->`, so that a reader sees the figure alone. */
export const MARKED = /<!-- (\{[^}]+\}) -->[^<]*<!-- -->/g;

/** The page with its marked figures as the kept files have them. */
export const renderFigures = (kept: Kept, page: string): string =>
	page.replace(MARKED, (_, path: string) => `<!-- ${path} -->${fillFigures(kept, path)}<!-- -->`);
