import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runBounded } from "./run-bounded.ts";

describe("a bounded step", () => {
	it("ends when its processor time is used up", () => {
		const spin = () => {
			for (;;);
		};
		expect(() => runBounded(spin, 20, "too many")).toThrow("too many");
	});

	it("is not refused for the time that it waited", () => {
		let runs = 0;
		const wait = () => {
			runs += 1;
			execFileSync("sleep", ["0.3"]);
			return "done";
		};
		expect(runBounded(wait, 200, "too many")).toBe("done");
		expect(runs).toBeGreaterThan(1);
	});

	it("answers what the step answers, nothing included", () => {
		expect(runBounded(() => undefined, 100, "too many")).toBeUndefined();
		expect(() =>
			runBounded(
				() => {
					throw new RangeError("mine");
				},
				100,
				"too many",
			),
		).toThrow("mine");
	});
});
