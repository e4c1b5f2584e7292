/** What things came to by each request, a line for each of them. */
import { thin } from "./context-chart.ts";
import { type Area, chart, fix, horizontalAxis, verticalAxis } from "./frame.ts";
import type { Layer } from "./layers-chart.ts";
import { element, type Markup } from "./markup.ts";
import { linearScale } from "./scale.ts";

const area: Area = { width: 1_040, height: 300, left: 56, right: 1_024, top: 34, bottom: 250 };
const MAX_POINTS = 800;

export function drawLines(
	lines: readonly Layer[],
	words: { readonly summary: string; readonly unit: string; readonly label: (value: number) => string },
): Markup {
	const requests = Math.max(2, ...lines.map(({ values }) => values.length));
	const highest = lines.reduce((most, { values }) => Math.max(most, values.at(-1) ?? 0), 0);
	const x = linearScale([0, requests - 1], [area.left, area.right], 8);
	const y = linearScale([0, highest > 0 ? 1.05 * highest : 1], [area.bottom, area.top]);
	return chart(
		area,
		words.summary,
		horizontalAxis({ scale: x, title: "request", label: String }, area),
		verticalAxis({ scale: y, title: words.unit, label: words.label }, area),
		...lines.map(({ name, colour, values }) => {
			const points = thin(values, MAX_POINTS).map(([at, value]) => `${fix(x.at(at))},${fix(y.at(value))}`);
			const shape = { class: `line k${colour}`, points: points.join(" ") };
			return element("polyline", shape, element("title", {}, name));
		}),
	);
}
