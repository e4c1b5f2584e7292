/** What every chart has: axes, a grid, and titles. */
import { element, type Markup } from "./markup.ts";
import type { Scale } from "./scale.ts";

/** The drawing area inside the chart, in pixels. */
export interface Area {
	readonly width: number;
	readonly height: number;
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

export interface Axis {
	readonly scale: Scale;
	readonly title: string;
	readonly label: (value: number) => string;
}

/** A chart that fits its column, with what is drawn over the grid. `summary` is for those who cannot see it. */
export function chart(area: Area, summary: string, ...content: readonly Markup[]): Markup {
	const { width, height } = area;
	const attributes = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary };
	return element("svg", attributes, content);
}

export function horizontalAxis({ scale, title, label }: Axis, { left, right, top, bottom }: Area): Markup {
	const ticks = scale.ticks.map((tick) => {
		const x = fix(scale.at(tick));
		return [
			element("line", { class: "grid", x1: x, x2: x, y1: top, y2: bottom }),
			element("text", { class: "tick", x, y: bottom + 17, "text-anchor": "middle" }, label(tick)),
		];
	});
	const place = { class: "axis", x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle" };
	return element("g", {}, ticks, element("text", place, title));
}

/** Its title stands above it, where it can be read without turning the head. */
export function verticalAxis({ scale, title, label }: Axis, { left, right, top }: Area): Markup {
	const ticks = scale.ticks.map((tick) => {
		const y = fix(scale.at(tick));
		return [
			element("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
			element("text", { class: "tick", x: left - 8, y: y + 4, "text-anchor": "end" }, label(tick)),
		];
	});
	return element("g", {}, ticks, element("text", { class: "axis", x: 0, y: top - 12 }, title));
}

/** Pixels to a tenth: more digits show nothing and take room. */
export function fix(pixels: number): number {
	return Number(pixels.toFixed(1));
}
