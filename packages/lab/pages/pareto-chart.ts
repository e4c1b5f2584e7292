/** Cost against grounding: each policy a point, with its 95 % interval, and the front that no policy beats. */
import { type Area, chart, fix, horizontalAxis, verticalAxis } from "./frame.ts";
import { placeLabels } from "./labels.ts";
import { element, type Markup } from "./markup.ts";
import { type Choice, paretoFront } from "./pareto.ts";
import { extentOf, linearScale, logScale, type Scale } from "./scale.ts";
import { drawPoint, type Series } from "./series.ts";

export interface ParetoPoint extends Choice {
	readonly series: Series;
	/** Shares; undefined where sessions are too few to tell. */
	readonly costInterval: readonly [number, number] | undefined;
	readonly worthInterval: readonly [number, number] | undefined;
	/** Whether its requests stayed within the budget: only those stand on the front. */
	readonly isWithinBudget: boolean;
}

export interface ParetoWords {
	readonly cost: string;
	readonly worth: string;
	readonly costLabel: (value: number) => string;
}

const area: Area = { width: 1_040, height: 440, left: 56, right: 1_010, top: 34, bottom: 386 };
const RADIUS = 5.5;

export function drawPareto(points: readonly ParetoPoint[], words: ParetoWords): Markup {
	const x = logScale(widen(extentOf(points.map(({ cost }) => Math.log(cost)))), [area.left, area.right]);
	const y = linearScale(extentOf(points.map(({ worth }) => worth)), [area.bottom, area.top]);
	const places = points.map((point) => ({ point, x: fix(x.at(point.cost)), y: fix(y.at(point.worth)) }));
	const labels = placeLabels(
		places.map(({ point, x: left, y: top }) => ({ text: point.series.policy, x: left, y: top })),
		area,
	);
	return chart(
		area,
		`${words.worth} against ${words.cost}, by policy`,
		horizontalAxis({ scale: x, title: words.cost, label: words.costLabel }, area),
		verticalAxis(
			{ scale: y, title: words.worth, label: (share) => `${Math.round(1_000 * share) / 10} %` },
			area,
		),
		drawFront(points, x, y),
		...points.map((point) => drawIntervals(point, x, y)),
		...places.map(({ point, x: left, y: top }) =>
			drawPoint(
				point.series,
				left,
				top,
				RADIUS,
				`${point.series.policy}: ${words.costLabel(point.cost)}, ${(100 * point.worth).toFixed(1)} %`,
			),
		),
		...labels.map(({ text, x: left, y: top, anchor }, i) => {
			const isOver = places[i]?.point.isWithinBudget === false;
			return element(
				"text",
				{ class: isOver ? "name over" : "name", x: left, y: top, "text-anchor": anchor },
				isOver ? `${text}*` : text,
			);
		}),
	);
}

function widen([low, high]: readonly [number, number]): readonly [number, number] {
	return low === high ? [Math.exp(low) / 1.5, Math.exp(high) * 1.5] : [Math.exp(low), Math.exp(high)];
}

function drawFront(points: readonly ParetoPoint[], x: Scale, y: Scale): Markup {
	const front = paretoFront(points.filter(({ isWithinBudget }) => isWithinBudget));
	const steps = front.map(({ cost, worth }, i) => {
		const [left, top] = [fix(x.at(cost)), fix(y.at(worth))];
		return i === 0 ? `M${left} ${area.bottom}V${top}` : `H${left}V${top}`;
	});
	return element("path", { class: "front", d: `${steps.join("")}H${area.right}` });
}

function drawIntervals(
	{ series, cost, worth, costInterval, worthInterval }: ParetoPoint,
	x: Scale,
	y: Scale,
) {
	const inside = (place: number, from: number, to: number) => fix(Math.min(Math.max(place, from), to));
	const across = costInterval?.map((bound) => inside(x.at(bound), area.left, area.right));
	const up = worthInterval?.map((bound) => inside(y.at(bound), area.top, area.bottom));
	const [left, top] = [fix(x.at(cost)), fix(y.at(worth))];
	return element(
		"g",
		{ class: `whisker dots ${series.id}` },
		across ? element("line", { x1: across[0], x2: across[1], y1: top, y2: top }) : "",
		up ? element("line", { x1: left, x2: left, y1: up[0], y2: up[1] }) : "",
	);
}
