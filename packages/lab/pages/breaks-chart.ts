/** Where in one session the cached prefix was broken, a row a policy. */
import type { SessionReplay } from "../run/session-replay.ts";
import { type Area, chart, fix, horizontalAxis } from "./frame.ts";
import { element, type Markup } from "./markup.ts";
import { linearScale } from "./scale.ts";
import type { Series } from "./series.ts";

const ROW = 17;
const LABEL = 128;

export function drawBreaks({ session, results }: SessionReplay, series: readonly Series[]): Markup {
	const bottom = 10 + ROW * results.length;
	const area: Area = { width: 1_040, height: bottom + 50, left: LABEL, right: 970, top: 10, bottom };
	const requests = Math.max(2, ...results.map(({ course }) => course.contexts.length));
	const x = linearScale([0, requests - 1], [area.left, area.right], 8);
	const rows = results.map(({ course }, i) => {
		const { id = "", policy = "" } = series[i] ?? {};
		const middle = area.top + ROW * (i + 0.5);
		const [from, to] = [middle - 0.36 * ROW, middle + 0.36 * ROW];
		const ticks = course.breaks.map((request) => `M${fix(x.at(request))} ${fix(from)}V${fix(to)}`);
		return element(
			"g",
			{ class: id },
			element("line", { class: "row", x1: area.left, x2: area.right, y1: middle, y2: middle }),
			element("path", { class: "ticks", d: ticks.join("") }),
			element("text", { class: "name", x: area.left - 10, y: middle + 4, "text-anchor": "end" }, policy),
			element("text", { class: "tick", x: area.right + 10, y: middle + 4 }, course.breaks.length),
		);
	});
	return chart(
		area,
		`Requests of session ${session} that did not begin with the one before, by policy`,
		horizontalAxis({ scale: x, title: "request", label: String }, area),
		...rows,
	);
}
