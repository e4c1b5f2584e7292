import { expect, test } from "vitest";
import { formatProgress } from "./progress.ts";
import examples from "./progress-examples.json" with { type: "json" };

test.each(examples)(
	"the time left after $done steps follows from those, and is not promised before the first, too early, or after the last",
	({ done, elapsedMs, line }) => {
		expect(formatProgress(done, 100, "kills", elapsedMs)).toBe(line);
		expect(formatProgress(done, 100, "kills", elapsedMs, "2 failures")).toBe(`${line}, 2 failures`);
	},
);
