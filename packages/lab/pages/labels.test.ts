import { expect, test } from "vitest";
import { placeLabels } from "./labels.ts";

const bounds = { left: 0, right: 600, top: 0, bottom: 300 };

test("a lone name stands right of its point", () => {
	expect(placeLabels([{ text: "cwl", x: 100, y: 100 }], bounds)).toEqual([
		{ text: "cwl", x: 110, y: 104, anchor: "start" },
	]);
});

test("at the right edge it stands left", () => {
	expect(placeLabels([{ text: "recency", x: 590, y: 100 }], bounds)[0]?.anchor).toBe("end");
});

test("names of near points do not stand on each other", () => {
	const points = Array.from({ length: 8 }, (_, i) => ({ text: "semantic", x: 300 + i, y: 150 + 2 * i }));
	const places = placeLabels(points, bounds).map(
		({ x, y, anchor }) => `${anchor} ${Math.round(x / 20)} ${y}`,
	);
	expect(new Set(places).size).toBe(points.length);
});
