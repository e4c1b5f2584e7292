import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Chart } from "./chart.ts";

const script = readFileSync(new URL("./chart-client.js", import.meta.url), "utf8");

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
	const chart: Chart = { summary: "", x: { title: "", unit: "ratio" }, y, hover: "point", sets: [point] };
	const holder = { dataset: { chart: JSON.stringify(chart) }, firstElementChild: {} };
	runInNewContext(script, {
		Chart: ChartOfTest,
		document: { documentElement: {}, body: {}, querySelectorAll: () => [holder] },
		getComputedStyle: () => ({ getPropertyValue: () => "", fontFamily: "" }),
		matchMedia: () => ({ addEventListener: () => undefined }),
	});
	return axis;
}

test("an axis of shares ends at 100 %, and another one where its values do", () => {
	const shares = axisOf({ title: "kept", unit: "percent" });
	expect(shares?.max).toBe(1);
	expect(shares?.ticks.callback(1)).toBe("100 %");
	expect(axisOf({ title: "cost", unit: "ratio" })?.max).toBeUndefined();
});
