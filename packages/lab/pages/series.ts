/** How the policies are told apart: a colour, a shape, a class that the legend can hide. */
import { element, type Markup } from "./markup.ts";

export interface Series {
	readonly policy: string;
	/** Class of everything that is drawn for it. */
	readonly id: string;
	/** Whether it is shown before anybody asks for it. */
	readonly isShown: boolean;
	/** Number of its colour in the style sheet. */
	readonly colour: number;
	readonly shape: number;
}

/** Colours in the style sheet; from the eleventh policy on they come again with another shape. */
const COLOURS = 10;
/** Lines beyond this many cannot be told apart. */
const MAX_SHOWN = 6;
/** Shown first where they were replayed, and first to choose a colour. */
const WANTED = [
	"none",
	"paper",
	"cwl",
	"compaction",
	"recency-low",
	"reference",
	"cwl-economy",
	"cwl-quality",
];

export function createSeries(policies: readonly string[]): readonly Series[] {
	const rank = (policy: string) => {
		const place = WANTED.indexOf(policy);
		return place < 0 ? WANTED.length : place;
	};
	const order = policies.toSorted((a, b) => rank(a) - rank(b));
	return policies.map((policy, i) => {
		const place = order.indexOf(policy);
		return {
			policy,
			id: `p${i}`,
			isShown: place < MAX_SHOWN,
			colour: place % COLOURS,
			shape: Math.floor(place / COLOURS) % 2,
		};
	});
}

/** A point in the series' colour and shape. The title is what a pointer shows. */
export function drawPoint(
	{ id, shape }: Series,
	x: number,
	y: number,
	radius: number,
	title: string,
): Markup {
	const hint = element("title", {}, title);
	if (shape === 0) return element("circle", { class: `point ${id}`, cx: x, cy: y, r: radius }, hint);
	const side = 1.7 * radius;
	const box = { x: x - side / 2, y: y - side / 2, width: side, height: side };
	return element("rect", { class: `point ${id}`, ...box, transform: `rotate(45 ${x} ${y})` }, hint);
}

/** Check boxes that hide and show a policy in all charts, with no script. */
export function drawLegend(series: readonly Series[]): Markup {
	const entries = series.map((each) => {
		const box = { type: "checkbox", id: `show-${each.id}`, checked: each.isShown ? "" : undefined };
		const sample = element(
			"svg",
			{ viewBox: "0 0 12 12", "aria-hidden": "true" },
			drawPoint(each, 6, 6, 5, ""),
		);
		return element("label", {}, element("input", box), sample, each.policy);
	});
	return element("fieldset", { class: "legend" }, element("legend", {}, "Shown in the charts"), entries);
}

/** The rules that the legend works by, and the colour of each policy. */
export function seriesStyle(series: readonly Series[]): string {
	return series
		.map(({ id, colour }) => {
			return `.${id}{--c:var(--c${colour})}body:has(#show-${id}:not(:checked)) .${id}:is(.line,.dots){display:none}`;
		})
		.join("\n");
}
