import fc from "fast-check";
import { expect, test } from "vitest";
import { boundaryLine } from "./boundary-line.ts";
import { widthOf } from "./columns.ts";

const start = {
	action: "start",
	name: "fix-parser",
	type: "act",
	dependencies: ["find-parser", "read-docs"],
};

test("a start names kind, episode and what it builds on; an end what was learned", () => {
	expect(boundaryLine(start, 0, 50)).toBe("── act fix-parser ← find-parser, read-docs ───────");
	expect(boundaryLine({ action: "end", description: "it is in\nparse.ts" }, 0, 40)).toBe(
		"── end: it is in parse.ts ──────────────",
	);
	expect(boundaryLine({ action: "end" }, 0, 12)).toBe("── end ─────");
});

test("what became of the episode stands on its line", () => {
	expect(boundaryLine({ ...start, dependencies: [] }, 4, 40)).toContain("act fix-parser · evicted ─");
	expect(boundaryLine({ ...start, dependencies: [] }, 2, 60)).toContain("fix-parser · stripped to level 2 ─");
});

test("what became of the episode is seen on a narrow screen too", () => {
	expect(boundaryLine(start, 4, 40)).toBe("── act fix-parser ← find-par… · evicted ");
});

test("a call that is still on its way, or makes no sense, has a line too", () => {
	for (const args of [undefined, null, {}, { name: 7, dependencies: [{}] }]) {
		expect(boundaryLine(args, 0, 20)).toBe("── episode ─────────");
	}
});

test("is as wide as the terminal, and steers it nowhere, whatever the model calls its episodes", () => {
	const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u001b[2J", "漢字"));
	const level = fc.integer({ min: 0, max: 4 });
	fc.assert(
		fc.property(text, text, level, fc.integer({ min: 20, max: 300 }), (name, need, at, width) => {
			const line = boundaryLine({ action: "start", name, type: "expl", dependencies: [need] }, at, width);
			expect(widthOf(line)).toBe(width);
			expect(line).not.toMatch(/\p{Cc}/u);
		}),
	);
});
