/** How large each request of one session was, by policy. */
import type { SessionReplay } from "../run/session-replay.ts";
import { type Area, chart, fix, horizontalAxis, verticalAxis } from "./frame.ts";
import { element, type Markup } from "./markup.ts";
import { linearScale, type Scale } from "./scale.ts";
import type { Series } from "./series.ts";

const area: Area = { width: 1_040, height: 340, left: 56, right: 1_024, top: 34, bottom: 290 };
const clipArea = {
	x: area.left,
	y: area.top,
	width: area.right - area.left,
	height: area.bottom - area.top,
};
/** More points than this fall on the same pixels. */
const MAX_POINTS = 800;

/** Above so many times the largest budget the chart ends, so that what keeps to it can be told apart. */
const HEADROOM = 1.5;

/** `budgets` in tokens, each drawn as a line. */
export function drawContexts(
	{ session, results }: SessionReplay,
	series: readonly Series[],
	budgets: readonly number[],
): Markup {
	const courses = results.map(({ course }) => course.contexts);
	const requests = Math.max(2, ...courses.map(({ length }) => length));
	const highest = courses.reduce((max, course) => course.reduce((a, b) => Math.max(a, b), max), 0);
	const x = linearScale([0, requests - 1], [area.left, area.right], 8);
	const top = Math.min(1.04 * highest, HEADROOM * Math.max(...budgets));
	const y = linearScale([0, top], [area.bottom, area.top]);
	const clip = `clip-${session.replace(/\W/g, "-")}`;
	const limits = budgets.map((budget) => {
		const at = fix(y.at(budget));
		return element("line", { class: "limit", x1: area.left, x2: area.right, y1: at, y2: at });
	});
	const lines = courses.map((course, i) => {
		const { id = "", policy = "" } = series[i] ?? {};
		const path = { class: `line ${id}`, points: pointsOf(course, x, y) };
		return element("polyline", path, element("title", {}, policy));
	});
	return chart(
		area,
		`Input tokens of each request of session ${session}, by policy`,
		horizontalAxis({ scale: x, title: "request", label: String }, area),
		verticalAxis({ scale: y, title: "input tokens", label: (value) => `${value / 1_000}k` }, area),
		...limits,
		element("clipPath", { id: clip }, element("rect", clipArea)),
		element("g", { "clip-path": `url(#${clip})` }, lines),
	);
}

function pointsOf(course: readonly number[], x: Scale, y: Scale): string {
	return thin(course, MAX_POINTS)
		.map(([index, tokens]) => `${fix(x.at(index))},${fix(y.at(tokens))}`)
		.join(" ");
}

/** Of each run of values the lowest and the highest in their order, so that no peak gets lost. */
export function thin(values: readonly number[], most: number): readonly (readonly [number, number])[] {
	const size = Math.ceil((2 * values.length) / most);
	const all = values.map((value, index) => [index, value] as const);
	if (size < 3) return all;
	const kept: (readonly [number, number])[] = [];
	for (let start = 0; start < all.length; start += size) {
		const byValue = all.slice(start, start + size).toSorted((a, b) => a[1] - b[1]);
		const ends = [byValue[0], byValue.at(-1)].filter((point) => point !== undefined);
		kept.push(...new Set(ends.toSorted((a, b) => a[0] - b[0])));
	}
	return kept;
}
