/** The parts of a page: sections, figures in tiles, tables, and legends whose boxes show and hide data sets. */
import type { TableText } from "../report/tables.ts";
import { element, type Markup } from "./document.ts";

export function section(
	title: string,
	text: string,
	...content: readonly (Markup | readonly Markup[])[]
): readonly Markup[] {
	return [element("h2", {}, title), element("p", {}, text), ...content.flat()];
}

/** Figures, each with what it is. */
export function drawTileList(tiles: readonly (readonly [figure: string, what: string])[]): Markup {
	const items = tiles.map(([value, what]) => element("li", {}, element("strong", {}, value), what));
	return element("ul", { class: "tiles" }, items);
}

/** The text under a table belongs to it: it says what the figures cannot show. */
export function drawTable({ head, rows, limits }: TableText): readonly Markup[] {
	const cells = (name: string, row: readonly string[]) => row.map((cell) => element(name, {}, cell));
	const table = element(
		"table",
		{},
		element("thead", {}, element("tr", {}, cells("th", head))),
		element(
			"tbody",
			{},
			rows.map((row) => element("tr", {}, cells("td", row))),
		),
	);
	return [element("div", { class: "scroll" }, table), element("p", { class: "limits" }, limits.join(" "))];
}

export interface Series {
	readonly policy: string;
	/** True if it is shown by default. */
	readonly isShown: boolean;
	/** The number of its color; beyond the eighth, shapes and dashes tell equal colors apart. */
	readonly color: number;
}

/** More lines than this cannot be told apart. */
const MAX_SHOWN = 8;
/** Shown first where they were replayed, and first to choose a color. */
const WANTED = "none paper cwl cwl@auto compaction reference cwl-economy cwl-quality".split(" ");

/** @param advised the policy that a page is about, which is shown in any case */
export function createSeries(policies: readonly string[], advised?: string): readonly Series[] {
	const rank = (policy: string) => {
		if (policy === advised) return -1;
		const place = WANTED.indexOf(policy);
		return place < 0 ? WANTED.length : place;
	};
	const order = policies.toSorted((a, b) => rank(a) - rank(b));
	return policies.map((policy) => {
		const color = order.indexOf(policy);
		return { policy, color, isShown: color < MAX_SHOWN };
	});
}

export interface LegendEntry {
	/** The group, or the name, of the data sets that its box shows and hides. */
	readonly name: string;
	readonly color: number | "ink" | "warn";
	readonly sample: "line" | "dashed" | "area" | "point";
	readonly isShown?: boolean;
}

/** Boxes for the charts of one figure. */
export function drawKey(entries: readonly LegendEntry[]): Markup {
	return element("fieldset", { class: "key" }, entries.map(drawBox));
}

/** Boxes for all charts of a page, which stay in sight. */
export function drawLegend(series: readonly Series[]): Markup {
	const boxes = series.map(({ policy, color, isShown }) =>
		drawBox({ name: policy, color, isShown, sample: "point" }),
	);
	const button = (show: "all" | "none") => element("button", { type: "button", "data-show": show }, show);
	const title = element("legend", {}, "Policies in the charts");
	return element(
		"header",
		{ class: "legend" },
		element("fieldset", { class: "key" }, title, boxes, button("all"), button("none")),
	);
}

function drawBox({ name, color, sample, isShown = true }: LegendEntry): Markup {
	const box = element("input", { type: "checkbox", value: name, checked: isShown ? "" : undefined });
	const fill = `color:var(--${typeof color === "number" ? `c${color % COLORS}` : color})`;
	const shape = typeof color === "number" ? (SHAPES[Math.floor(color / COLORS) % SHAPES.length] ?? "") : "";
	const mark = sample === "point" ? shape : "";
	const swatch = element("span", { class: `swatch ${sample}`, style: fill, "aria-hidden": "true" }, mark);
	return element("label", {}, box, swatch, name);
}

const COLORS = 8;
/** The shapes of points, in the order of `chart-client.js`. */
const SHAPES = ["\u25cf", "\u25c6", "\u25b2", "\u25a0"];
