/** Charts as plain data: `chart-client.js` draws them with Chart.js when the page is opened. */
import { element, type Markup } from "./document.ts";

interface Axis {
	readonly title: string;
	/** The kind of its numbers, which decides how they are formatted. */
	readonly unit: "tokens" | "request" | "percent" | "dollars" | "ratio";
}

/** Numbers are values of y for x = 0, 1, 2... */
export type Point = number | readonly [x: number | null, y: number | null, hint?: string];

export interface DataSet {
	readonly name: string;
	/** How it is drawn; `chart-client.js` has the table. */
	readonly style: "line" | "area" | "points" | "limit";
	/** The number of a color, or the name of one that has a meaning. */
	readonly color: number | "ink" | "warn";
	/** True if it is not shown until the reader selects it in the legend. */
	readonly isHidden?: boolean;
	/** True for what the page is about: it is drawn larger than the others. */
	readonly isAdvised?: boolean;
	readonly data: readonly Point[];
}

export interface Chart {
	/** For readers who cannot see it. */
	readonly summary: string;
	readonly x: Axis;
	readonly y: Axis;
	/** A pointer shows all values of a request, or those of one point. */
	readonly hover: "request" | "point";
	readonly sets: readonly DataSet[];
	/** Requests with a dotted line, and what it says. */
	readonly marks?: readonly { readonly x: number; readonly text: string }[];
	/** Pixels. */
	readonly height?: number;
}

/** The axis of charts over the requests of a session. */
export const requestAxis = { title: "request", unit: "request" } as const;

/** Horizontal lines over so many requests, as one entry of the legend. */
export const limitLines = (name: string, budgets: readonly number[], requests: number): DataSet => ({
	name,
	style: "limit",
	color: "warn",
	data: budgets.flatMap((budget): readonly Point[] => [
		[0, budget],
		[Math.max(1, requests - 1), budget],
		// The line ends here, and the next one begins.
		[null, null],
	]),
});

const HEIGHT = 320;

/**
 * The place of a chart, with its data in the page. The title of its y axis stands above it; its legend shows and hides data
 * sets.
 */
export function drawChart(chart: Chart): Markup {
	const style = `height:${chart.height ?? HEIGHT}px`;
	const canvas = element("canvas", { role: "img", "aria-label": chart.summary });
	return element(
		"figure",
		{},
		element("p", { class: "axis" }, chart.y.title),
		element("div", { class: "canvas", style, "data-chart": JSON.stringify(chart) }, canvas),
	);
}
