import { expect, test } from "vitest";
import { createSegmenter, extendsSegments } from "./segment.ts";

const source = (bytes: string, framing = 4) => ({ bytes, visible: () => [bytes], framing });

test("counts equal bytes once", () => {
	const segment = createSegmenter();
	let counted = 0;
	const watched = {
		...source("hello there"),
		visible: () => {
			counted++;
			return ["hello there"];
		},
	};
	expect(segment({ ...watched })).toBe(segment(watched));
	expect(counted).toBe(1);
});

test("keeps equal bytes with another framing apart", () => {
	const segment = createSegmenter();
	expect(segment(source("x", 4)).tokens - segment(source("x", 0)).tokens).toBe(4);
});

test("extends a prompt by anything that begins with it", () => {
	const segment = createSegmenter();
	const [a, b, c] = [segment(source("a")), segment(source("b")), segment(source("c"))];
	expect(extendsSegments([], [a])).toBe(true);
	expect(extendsSegments([a, b], [a, b, c])).toBe(true);
	expect(extendsSegments([a, b], [a, c, b])).toBe(false);
	expect(extendsSegments([a, b], [a])).toBe(false);
});
