import { expect, test } from "vitest";
import { drawRecording } from "./album.ts";

const frames = (count: number) => Array.from({ length: count }, (_, i) => ["$ cwl demo", `██░░ frame ${i};`]);
const shown = (picture: string) =>
	[...picture.matchAll(/ frame (\d+);/g)].map(([, number]) => Number(number));

test("a short recording has all of its frames, a long one fewer of them, with the first and the last", () => {
	expect(shown(drawRecording(frames(3), 40))).toEqual([0, 1, 2]);
	const long = shown(drawRecording(frames(500), 40));
	expect(long.length).toBe(40);
	expect([long[0], long.at(-1)]).toEqual([0, 499]);
	expect(long).toEqual(long.toSorted((a, b) => a - b));
});

test("it rests on its last frame, and moves only where motion is wanted", () => {
	const picture = drawRecording(frames(3), 40);
	const [, rest = ""] = /\.film \{ (transform: translateY\(-\d+px\))/.exec(picture) ?? [];
	expect(picture).toContain(`100% { ${rest} }`);
	expect(picture.match(/animation:/g)).toHaveLength(1);
	expect(picture).toContain("@media (prefers-reduced-motion: no-preference) { .film { animation:");
	expect(picture).not.toMatch(/NaN|undefined|<script|href/);
});
