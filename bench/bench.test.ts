import { expect, test } from "vitest";
import { formatProgress } from "./bench.ts";

const of = (done: number, elapsedMs: number) =>
	formatProgress({ done, total: 100, unit: "kills", elapsedMs });

test("the time left follows from the steps so far", () => {
	expect(of(20, 50_000)).toBe("20 of 100 kills, 50 s, about 3 min left");
	expect(of(50, 9_000)).toBe("50 of 100 kills, 9 s, about 9 s left");
	expect(of(1, 600_000)).toBe("1 of 100 kills, 10 min, about 16.5 h left");
});

test("no time is promised before the first step or after the last", () => {
	expect(of(0, 1_000)).toBe("0 of 100 kills, 1 s");
	expect(of(100, 300_000)).toBe("100 of 100 kills, 5 min");
});

test("a note ends the line", () => {
	const progress = { done: 1, total: 1, unit: "runs", elapsedMs: 0, note: "2 failures" };
	expect(formatProgress(progress)).toBe("1 of 1 runs, 0 s, 2 failures");
});
