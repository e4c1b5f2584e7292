/** What each request was made of, one layer over the other, with the requests that matter marked. */
import { type Area, chart, fix, horizontalAxis, verticalAxis } from "./frame.ts";
import { element, type Markup } from "./markup.ts";
import { linearScale, type Scale } from "./scale.ts";

export interface Layer {
	readonly name: string;
	/** Number of its colour in the style sheet. */
	readonly colour: number;
	/** One a request. */
	readonly values: readonly number[];
}

export interface LayersWords {
	readonly summary: string;
	/** What the values are. */
	readonly unit: string;
	/** A line across, and what it is. */
	readonly limit?: { readonly value: number; readonly name: string };
	/** Requests with a mark, and what it says. */
	readonly marks: readonly { readonly request: number; readonly text: string }[];
}

const area: Area = { width: 1_040, height: 340, left: 56, right: 1_024, top: 34, bottom: 290 };
/** More columns than this fall on the same pixels. */
const MAX_COLUMNS = 900;

/** The first layer lies at the bottom. */
export function drawLayers(layers: readonly Layer[], words: LayersWords): Markup {
	const requests = Math.max(1, ...layers.map(({ values }) => values.length));
	const columns = pickColumns(requests);
	const heights = columns.map((at) => layers.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
	const top = 1.06 * Math.max(1, words.limit?.value ?? 0, ...heights);
	const x = linearScale([0, requests], [area.left, area.right], 8);
	const y = linearScale([0, top], [area.bottom, area.top]);
	const floors = columns.map(() => 0);
	const drawn = layers.map((layer) => drawLayer(layer, columns, floors, { x, y, requests }));
	return chart(
		area,
		words.summary,
		horizontalAxis({ scale: x, title: "request", label: String }, area),
		verticalAxis({ scale: y, title: words.unit, label: kilo }, area),
		...drawn,
		...drawLimit(words, y),
		...words.marks.map(({ request, text }) => {
			const at = fix(x.at(request));
			const line = { class: "mark", x1: at, x2: at, y1: area.top, y2: area.bottom };
			return element("line", line, element("title", {}, text));
		}),
	);
}

/** Adds the layer onto the floors, in place. */
function drawLayer(
	{ name, colour, values }: Layer,
	columns: readonly number[],
	floors: number[],
	{ x, y, requests }: { readonly x: Scale; readonly y: Scale; readonly requests: number },
): Markup {
	const lower: string[] = [];
	const upper: string[] = [];
	columns.forEach((at, column) => {
		const [from, to] = [fix(x.at(at)), fix(x.at(columns[column + 1] ?? requests))];
		const floor = floors[column] ?? 0;
		const ceiling = floor + (values[at] ?? 0);
		floors[column] = ceiling;
		upper.push(`${from},${fix(y.at(ceiling))}`, `${to},${fix(y.at(ceiling))}`);
		lower.push(`${from},${fix(y.at(floor))}`, `${to},${fix(y.at(floor))}`);
	});
	const points = [...upper, ...lower.toReversed()].join(" ");
	return element("polygon", { class: `layer k${colour}`, points }, element("title", {}, name));
}

function drawLimit({ limit }: LayersWords, y: Scale): readonly Markup[] {
	if (!limit) return [];
	const at = fix(y.at(limit.value));
	return [
		element("line", { class: "limit", x1: area.left, x2: area.right, y1: at, y2: at }),
		element("text", { class: "name", x: area.right - 6, y: at - 6, "text-anchor": "end" }, limit.name),
	];
}

/** Of very many requests every n-th. */
function pickColumns(requests: number): readonly number[] {
	const step = Math.ceil(requests / MAX_COLUMNS);
	return Array.from({ length: Math.ceil(requests / step) }, (_, column) => column * step);
}

function kilo(value: number): string {
	return value >= 1_000 ? `${value / 1_000}k` : String(value);
}

/** What the colours stand for. */
export function drawKey(layers: readonly Pick<Layer, "name" | "colour">[]): Markup {
	const entries = layers.map(({ name, colour }) => {
		const box = element("rect", { class: `layer k${colour}`, width: 12, height: 12 });
		const sample = element("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, box);
		return element("li", {}, sample, name);
	});
	return element("ul", { class: "key" }, entries);
}
