import { expect, test } from "vitest";
import { SHOW_MS } from "./demo.ts";
import { replayDemo } from "./demo-replay.ts";
import { createScreens, logLines } from "./demo-screen.ts";

const demo = await replayDemo(24_000, new AbortController().signal);
if (demo === undefined) throw new Error("the demo was interrupted");
const { figures } = demo;

test("the demo's figures show what cwl is for: it costs least, keeps every message of the user, and compaction does not", () => {
	const [cwl, compaction, none] = figures.arms;
	expect(figures.userMessages).toBe(10);
	expect([cwl?.userMessagesKept, none?.userMessagesKept]).toEqual([10, 10]);
	expect(compaction?.userMessagesKept).toBeLessThan(10);
	expect(cwl?.dollars).toBeLessThan(compaction?.dollars ?? 0);
	expect(compaction?.dollars).toBeLessThan(none?.dollars ?? 0);
	expect(cwl?.largest).toBeLessThanOrEqual(24_000);
});

test("the example of what compaction lost names a file of the session, and a line that a recall brings back", () => {
	expect(figures.lost).toMatchObject({
		path: expect.stringMatching(/^src\//),
		line: expect.stringMatching(/.{40}/),
	});
});

test("a screen is drawn for each request, with the conversation and both sizes, and none is wider than the terminal", () => {
	const screens = createScreens(demo, 80);
	expect(screens).toHaveLength(figures.requests);
	for (const lines of screens) {
		expect(lines).toHaveLength(screens[0]?.length ?? 0);
		for (const line of lines) expect(line.length).toBeLessThan(80);
	}
	expect(screens.flat().join("\n")).toMatch(/^you {4}Add a constant[\s\S]*^agent {2}Done: [\s\S]*^◂ pass: /m);
	expect(screens.at(-1)?.join("\n")).toMatch(/with cwl +█+░+ [\d.]+k\nwithout +█+░* \d+k$/);
	expect(SHOW_MS).toBeLessThan(8_000);
});

test("in a pipe each message of the user is a line, and so is each pass", () => {
	const lines = logLines(demo);
	expect(lines.filter((line) => line.startsWith("you"))).toHaveLength(10);
	expect(lines.filter((line) => line.startsWith("agent  Done"))).toHaveLength(10);
	expect(lines.filter((line) => line.startsWith("◂"))).toHaveLength(
		demo.steps.filter(({ pass }) => pass).length,
	);
});
