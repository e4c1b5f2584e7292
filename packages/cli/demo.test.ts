import { expect, test } from "vitest";
import { SHOW_MS } from "./demo.ts";
import { conversationLines } from "./demo-conversation.ts";
import { replayDemo } from "./demo-replay.ts";

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

test("each message of the user is a line, and so are its answer and each pass; a terminal shows the calls as well", () => {
	const lines = conversationLines(demo, false);
	const count = (start: string) => lines.filter((line) => line.startsWith(start)).length;
	const passes = demo.steps.filter(({ pass }) => pass).length;
	expect([count("you"), count("agent  Done"), count("◂")]).toEqual([10, 10, passes]);
	expect(conversationLines(demo, true).join("\n")).toMatch(/^you {4}Add a constant[\s\S]*^ {7}read /m);
	expect(SHOW_MS).toBeLessThan(8_000);
});
