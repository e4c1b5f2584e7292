import { expect, test } from "vitest";
import { requestSeconds } from "./latency.ts";

test.each([
	["10,000 tokens without a cache", { input: 10_000, cached: 0, output: 0 }, 1.6],
	["100,000 tokens without a cache", { input: 100_000, cached: 0, output: 0 }, 11.5],
	["100,000 tokens from the cache", { input: 100_000, cached: 100_000, output: 0 }, 2.4],
])("the modeled time of %s is within a tenth of the published one", (_, call, published) => {
	expect(requestSeconds(call) / published).toBeCloseTo(1, 1);
});

test("output takes time as well", () => {
	const call = { input: 0, cached: 0, output: 0 };
	expect(requestSeconds({ ...call, output: 600 }) - requestSeconds(call)).toBeCloseTo(10);
});
