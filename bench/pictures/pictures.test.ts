import { expect, test } from "vitest";
import { bareReport, closedExpl } from "../../packages/pi/test-support/state-report.ts";
import { calls, inOrder, reply, result, says, user } from "../../packages/replay/test-support/messages.ts";
import { drawContexts, drawPanel } from "./pictures.ts";

test("the panel's picture shows the last turn of the conversation, the lines of the panel, and escapes names", () => {
	const messages = inOrder(
		user("an earlier task"),
		reply(says("Done.")),
		user(`rename <a> ${"everywhere ".repeat(40)}`),
		reply(says("Looking."), calls("1", "read", { path: "src/a.ts" })),
		result("1", "text"),
		reply(says("It is renamed.")),
	);
	const report = { ...bareReport, episodes: [{ ...closedExpl, name: "find <b> & more" }] };
	const picture = drawPanel(report, messages);
	for (const line of ["&gt; rename &lt;a&gt;", "read src/a.ts", "It is renamed."])
		expect(picture).toContain(line);
	expect(picture).toContain(">  everywhere everywhere everywhere everywhere everywhere everywhere…</text>");
	expect(picture).not.toContain("an earlier task");
	expect(picture).toContain("> Context Window Lifecycle </text>");
	expect(picture).toContain("find &lt;b&gt; &amp; more");
	expect(picture).not.toMatch(/NaN|undefined|<script|href/);
});

test("heights of the figure stand in the ratio of the tokens, and its words say what the data say", () => {
	const contexts = {
		none: [10_000, 50_000, 120_000],
		compaction: [10_000, 50_000, 20_000],
		cwl: [10_000, 40_000, 38_000],
	};
	const picture = drawContexts(contexts, 2);
	const tickAt = (label: string) =>
		Number(new RegExp(`y="([\\d.]+)" text-anchor="end">${label}</text>`).exec(picture)?.[1]) - 7;
	const bottom = tickAt("0");
	const heightsOf = (tone: string) => {
		const [, points = ""] =
			new RegExp(`<polyline class="line ${tone}"[^>]* points="([^"]*)"`).exec(picture) ?? [];
		return points.split(" ").map((point) => bottom - Number(point.split(",")[1]));
	};
	// The axis says how many tokens a height is.
	const perToken = (bottom - tickAt("100k")) / 100_000;
	expect(perToken).toBeGreaterThan(0);
	for (const [tone, sizes] of [
		["orange", contexts.none],
		["magenta", contexts.compaction],
		["green", contexts.cwl],
	] as const) {
		expect(heightsOf(tone).map((height) => Math.round(height / perToken / 1_000))).toEqual(
			sizes.map((size) => size / 1_000),
		);
	}
	expect(picture).toContain(
		`aria-label="2 tasks in one session: at most 40k tokens a request with cwl, 50k with pi's compaction, 120k without eviction"`,
	);
	for (const words of [
		"2 tasks in one session",
		"without eviction: at most 120k",
		"pi's compaction: at most 50k",
		"cwl: at most 40k",
	]) {
		expect(picture).toContain(`>${words}</text>`);
	}
	expect(picture).not.toMatch(/NaN|Infinity|undefined/);
});
