import { expect, test } from "vitest";
import { bareReport, closedExpl } from "../../packages/pi/test-support/state-report.ts";
import { drawContexts, drawPanel, drawRecording } from "./pictures.ts";

const screens = (count: number) =>
	Array.from({ length: count }, (_, i) => ["$ cwl demo", `██░░ frame ${i};`]);

test("the panel's picture shows its lines and escapes names", () => {
	const picture = drawPanel({ ...bareReport, episodes: [{ ...closedExpl, name: "find <b> & more" }] });
	expect(picture).toContain("> Context Window Lifecycle </text>");
	expect(picture).toContain("find &#60;b&#62; &#38; more");
	expect(picture).not.toMatch(/NaN|undefined|<script|href/);
});

test("a long recording has 40 screens with the first and the last, and moves only where motion is wanted", () => {
	const picture = drawRecording(screens(500));
	const shown = [...picture.matchAll(/ frame (\d+);/g)].map(([, number]) => Number(number));
	expect([shown.length, shown[0], shown.at(-1)]).toEqual([40, 0, 499]);
	const [, rest = ""] = /\.film \{ (transform: translateY\(-\d+px\))/.exec(picture) ?? [];
	expect(picture).toContain(`100% { ${rest} }`);
	expect(picture.match(/animation:/g)).toHaveLength(1);
	expect(picture).toContain("@media (prefers-reduced-motion: no-preference) { .film { animation:");
});

test("heights of the figure stand in the ratio of the tokens, and its words say what the data say", () => {
	const without = [10_000, 50_000, 120_000];
	const picture = drawContexts(without, [10_000, 50_000, 38_000], 60_000, 2);
	const [, points = ""] = /<polyline class="line orange"[^>]* points="([^"]*)"/.exec(picture) ?? [];
	const heights = points.split(" ").map((point) => 296 - Number(point.split(",")[1]));
	expect(heights.map((height) => height / (heights[0] ?? 0))).toEqual([
		1,
		expect.closeTo(5, 1),
		expect.closeTo(12, 1),
	]);
	const verdict = "2 tasks in one session: at most 50k tokens a request with cwl, 120k without";
	expect(picture).toContain(`>${verdict}</text>`);
	expect(picture).toContain(`aria-label="${verdict}"`);
	expect(picture).not.toMatch(/NaN|Infinity|undefined/);
});
