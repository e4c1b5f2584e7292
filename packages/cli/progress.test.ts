import { expect, test } from "vitest";
import { formatProgress } from "./progress.ts";

test.each([
	[20, 50_000, "20 of 100 kills, 50 s, about 3 min left"],
	[50, 9_000, "50 of 100 kills, 9 s, about 9 s left"],
	[1, 600_000, "1 of 100 kills, 10 min, about 16.5 h left"],
	[0, 9_000, "0 of 100 kills, 9 s"],
	[1, 40, "1 of 100 kills, 0 s"],
	[99, 9_000, "99 of 100 kills, 9 s, about 1 s left"],
	[100, 300_000, "100 of 100 kills, 5 min"],
])(
	"the time left after %i steps follows from those, and is not promised before the first, too early, or after the last",
	(done, elapsedMs, line) => {
		expect(formatProgress(done, 100, "kills", elapsedMs)).toBe(line);
		expect(formatProgress(done, 100, "kills", elapsedMs, "2 failures")).toBe(`${line}, 2 failures`);
	},
);
