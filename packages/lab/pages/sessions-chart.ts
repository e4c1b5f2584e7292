/** Every session a point for each policy: how long it is against what it costs. */
import { type Area, chart, fix, horizontalAxis, verticalAxis } from "./frame.ts";
import { element, type Markup } from "./markup.ts";
import { extentOf, logScale } from "./scale.ts";
import { drawPoint, type Series } from "./series.ts";

export interface SessionPoint {
	readonly series: Series;
	readonly session: string;
	/** Tokens of the whole session. */
	readonly tokens: number;
	/** As a share of another policy's. */
	readonly cost: number;
}

const area: Area = { width: 1_040, height: 380, left: 56, right: 1_024, top: 34, bottom: 328 };

/** `reference` names the policy whose cost is 1. */
export function drawSessions(points: readonly SessionPoint[], reference: string): Markup {
	const x = logScale(spread(points.map(({ tokens }) => tokens)), [area.left, area.right]);
	const y = logScale(spread([1, ...points.map(({ cost }) => cost)]), [area.bottom, area.top]);
	const one = fix(y.at(1));
	return chart(
		area,
		`Cost of each session as a share of what ${reference} costs, against its length, by policy`,
		horizontalAxis({ scale: x, title: "tokens of the whole session", label: kilo }, area),
		verticalAxis({ scale: y, title: `cost, ${reference} = 1`, label: String }, area),
		element("line", { class: "limit", x1: area.left, x2: area.right, y1: one, y2: one }),
		...points.map((point) => {
			const title = `${point.series.policy}, ${point.session}: ${point.cost.toFixed(2)} at ${kilo(point.tokens)}`;
			const dot = drawPoint(point.series, fix(x.at(point.tokens)), fix(y.at(point.cost)), 3.4, title);
			return element("g", { class: `dots ${point.series.id}` }, dot);
		}),
	);
}

function spread(values: readonly number[]): readonly [number, number] {
	const [low, high] = extentOf(values.map(Math.log), 0.05);
	return low === high ? [Math.exp(low) / 2, Math.exp(high) * 2] : [Math.exp(low), Math.exp(high)];
}

function kilo(tokens: number): string {
	return tokens < 1e6 ? `${Math.round(tokens / 1_000)}k` : `${tokens / 1e6}M`;
}
