import { expect, test } from "vitest";
import { drawContexts } from "./context-figure.ts";

const figure = {
	without: [10_000, 50_000, 120_000],
	cwl: [10_000, 50_000, 38_000],
	budget: 60_000,
	tasks: 2,
};

/** The points of the line of a tone. */
function lineOf(picture: string, tone: string) {
	const [, points = ""] =
		new RegExp(`<polyline class="line ${tone}"[^>]* points="([^"]*)"`).exec(picture) ?? [];
	return points.split(" ").map((point) => point.split(",").map(Number));
}

test("each line has a point for each request, and heights stand in the ratio of the tokens", () => {
	const picture = drawContexts(figure);
	for (const [tone, sizes] of [
		["orange", figure.without],
		["green", figure.cwl],
	] as const) {
		const points = lineOf(picture, tone);
		expect(points).toHaveLength(sizes.length);
		const [base = 0] =
			/class="orange" opacity="[^"]*" points="[\d.]+,([\d.]+)/.exec(picture)?.slice(1).map(Number) ?? [];
		const heights = points.map(([, y = 0]) => base - y);
		sizes.forEach((size, i) => {
			expect((heights[i] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(size / (sizes[0] ?? 1), 1);
		});
	}
});

test("the words say what the data say, for those who see the figure and for those who do not", () => {
	const picture = drawContexts(figure);
	const verdict = "2 tasks in one session: at most 50k tokens a request with cwl, 120k without";
	expect(picture).toContain(`>${verdict}</text>`);
	expect(picture).toContain(`aria-label="${verdict}"`);
	expect(picture).toContain(">budget 60k</text>");
	expect(picture).toContain(">tokens of each of 3 requests, from the first to the last</text>");
	expect(picture).not.toMatch(/NaN|Infinity|undefined/);
});
