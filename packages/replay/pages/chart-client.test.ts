import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Chart, type DataSet, limitLines } from "./chart.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const script = read("./chart-client.js");
const library = read("../../../node_modules/chart.js/dist/chart.umd.min.js");

interface Box {
	readonly text: string;
	readonly left: number;
	readonly right: number;
	readonly top: number;
	readonly bottom: number;
}

/** A canvas of this size that notes the box of each text that is drawn on it; letters have one width. */
function createCanvas(width: number, height: number) {
	const texts: Box[] = [];
	const state: Record<string, unknown> = { font: "12px x", textAlign: "start", textBaseline: "alphabetic" };
	const kept: { readonly state: object; readonly x: number; readonly y: number }[] = [];
	let origin = { x: 0, y: 0 };
	const sizeOf = () => Number(/(\d+)px/.exec(String(state.font))?.[1]);
	const widthOf = (text: string) => 0.6 * sizeOf() * text.length;
	const draw = {
		measureText: (text: string) => ({ width: widthOf(text) }),
		save: () => kept.push({ state: { ...state }, ...origin }),
		restore() {
			const { state: earlier = {}, ...place } = kept.pop() ?? { x: 0, y: 0 };
			Object.assign(state, earlier);
			origin = { x: place.x, y: place.y };
		},
		translate(x: number, y: number) {
			origin = { x: origin.x + x, y: origin.y + y };
		},
		setTransform() {
			origin = { x: 0, y: 0 };
		},
		resetTransform() {
			origin = { x: 0, y: 0 };
		},
		fillText(text: string, x: number, y: number) {
			const align = String(state.textAlign);
			const before = { center: 0.5, right: 1, end: 1 }[align] ?? 0;
			const left = origin.x + x - before * widthOf(text);
			const above = { top: 0, hanging: 0, middle: 0.5 }[String(state.textBaseline)] ?? 0.8;
			const top = origin.y + y - above * sizeOf();
			texts.push({ text, left, right: left + widthOf(text), top, bottom: top + sizeOf() });
		},
		clearRect() {
			texts.length = 0;
		},
		createLinearGradient: () => ({ addColorStop: () => undefined }),
	};
	const canvas = { width, height, style: {}, getAttribute: () => null, setAttribute: () => undefined };
	const context: object = new Proxy(draw, {
		get: (methods, name) => Reflect.get(methods, name) ?? state[String(name)] ?? (() => undefined),
		set: (_methods, name, value) => {
			state[String(name)] = value;
			return true;
		},
	});
	Object.assign(draw, { canvas });
	return { canvas: { ...canvas, getContext: () => context }, texts };
}

const page = createContext({
	getComputedStyle: () => ({ getPropertyValue: () => "#888888", fontFamily: "x" }),
	matchMedia: () => ({ addEventListener: () => undefined }),
});
runInContext(library, page);
const chartLibrary: unknown = page.Chart;

/** Draws a chart with the script of the page, and with Chart.js unless another class is in its place. */
function drawWith(chart: Chart, canvas: object, ChartClass = chartLibrary) {
	const holder = { dataset: { chart: JSON.stringify(chart) }, firstElementChild: canvas };
	const document = { documentElement: {}, body: {}, querySelectorAll: () => [holder] };
	Object.assign(page, { Chart: ChartClass, document });
	runInContext(script, page);
}

/** The texts of a chart that is this wide. */
function textsOf(chart: Chart, width: number): readonly Box[] {
	const { canvas, texts } = createCanvas(width, chart.height ?? 320);
	drawWith(chart, canvas);
	return texts;
}

function overlapping(texts: readonly Box[]): readonly string[] {
	return texts.flatMap((a, place) =>
		texts
			.slice(place + 1)
			.filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
			.map((b) => `${a.text} over ${b.text}`),
	);
}

interface Axis {
	readonly max?: number;
	readonly ticks: { readonly callback: (value: number) => string };
}

/** The y axis that the script of the page gives Chart.js for a chart. */
function axisOf(y: Chart["y"]): Axis | undefined {
	let axis: Axis | undefined;
	class ChartOfTest {
		static readonly defaults = { font: {}, plugins: { legend: { labels: {} } } };
		constructor(
			_canvas: unknown,
			{ options }: { readonly options: { readonly scales: { readonly y: Axis } } },
		) {
			axis = options.scales.y;
		}
	}
	const point = { name: "cwl", style: "points", color: 0, data: [[0.5, 1]] } as const;
	drawWith(
		{ summary: "", x: { title: "", unit: "ratio" }, y, hover: "point", sets: [point] },
		{},
		ChartOfTest,
	);
	return axis;
}

test("an axis of shares ends at 100 %, and another one where its values do", () => {
	const shares = axisOf({ title: "kept", unit: "percent" });
	expect(shares?.max).toBe(1);
	expect(shares?.ticks.callback(1)).toBe("100 %");
	expect(axisOf({ title: "cost", unit: "ratio" })?.max).toBeUndefined();
});

test("dollars have cents, small ones more figures", () => {
	const write = axisOf({ title: "dollars", unit: "dollars" })?.ticks.callback;
	expect([0, 0.5, 1, 2.396, 0.0123].map((value) => write?.(value))).toEqual([
		"$0.00",
		"$0.50",
		"$1.00",
		"$2.40",
		"$0.0123",
	]);
});

/** From a small phone to the widest page. */
const widths = fc.integer({ min: 300, max: 1_040 });

test("no two texts of a chart of points overlap, however near the points are, at any width", () => {
	const names = [
		"none",
		"paper",
		"cwl (recommended)",
		"compaction",
		"cwl-economy",
		"cwl-quality",
		"lru",
		"fifo",
	];
	const share = fc.double({ min: 0.6, max: 1, noNaN: true });
	const points = fc.array(fc.tuple(share, share), { minLength: 2, maxLength: names.length });
	fc.assert(
		fc.property(points, widths, fc.constantFrom("ratio", "tokens"), (places, width, unit) => {
			const sets = places.map(([x, y], color): DataSet => {
				const cost = unit === "ratio" ? x : 1_000_000 * x;
				const isAdvised = color === 2;
				return { name: names[color] ?? "", style: "points", color, isAdvised, data: [[cost, y]] };
			});
			const y = { title: "kept", unit: "percent" } as const;
			const chart = {
				summary: "",
				x: { title: "cost", unit },
				y,
				hover: "point",
				height: 460,
				sets,
			} as const;
			const texts = textsOf(chart, width);
			expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(sets.map(({ name }) => name)));
			expect(overlapping(texts)).toEqual([]);
		}),
		{
			numRuns: 40,
			examples: [
				[
					[
						[0.6, 0.999999999999999],
						[0.6, 0.999999999999999],
					],
					300,
					"ratio",
				],
			],
		},
	);
});

test("a name stays at its point where the points are along an edge, at any width", () => {
	fc.assert(
		fc.property(widths, (width) => {
			const costs = { cwl: 0.1, compaction: 0.43, none: 1, paper: 1.28 };
			const sets = Object.entries(costs).map(
				([name, cost], color): DataSet => ({ name, style: "points", color, data: [[cost, 1]] }),
			);
			const x = { title: "cost", unit: "ratio" } as const;
			const y = { title: "kept", unit: "percent" } as const;
			const texts = textsOf({ summary: "", x, y, hover: "point", sets }, width);
			// A legend comes first.
			const ends = new Map(texts.map(({ text, right }) => [text, right]));
			const [cwl = 0, compaction = 0, none = 0, paper = 0] = Object.keys(costs).map((name) => ends.get(name));
			expect(cwl).toBeLessThan(compaction);
			expect(compaction).toBeLessThan(Math.min(none, paper));
		}),
		{ numRuns: 40 },
	);
});

test("no two texts of a chart over requests overlap, however many these are, at any width", () => {
	const unit = fc.constantFrom("tokens", "dollars");
	fc.assert(
		fc.property(fc.integer({ min: 2, max: 3_000 }), widths, unit, (requests, width, kind) => {
			const top = kind === "tokens" ? 123_456 : 0.7;
			const data = Array.from({ length: requests }, (_, at) => (top * (at + 1)) / requests);
			const lines = ["none", "cwl", "compaction at 24k"].map((name, color) => {
				return { name, style: "line", color, data } as const;
			});
			const sets = [...lines, limitLines("budget", [top / 3, top / 2], requests)];
			const x = { title: "request", unit: "request" } as const;
			const chart = { summary: "", x, y: { title: "", unit: kind }, hover: "request", sets } as const;
			const texts = textsOf(chart, width);
			expect(texts.length).toBeGreaterThan(5);
			expect(overlapping(texts)).toEqual([]);
		}),
		{ numRuns: 40 },
	);
});
