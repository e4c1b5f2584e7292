import { describe, expect, test } from "vitest";
import { isCacheCold, readRetention } from "./cache-lifetime.ts";

const MINUTE = 60_000;
const claude = { provider: "anthropic", model: "claude" };
const gpt = { provider: "openai", model: "gpt" };

describe("the provider's cache", () => {
	test("is not known to be cold before the first answer", () => {
		expect(isCacheCold(undefined, claude, 0, "short")).toBe(false);
	});

	test("is cold after a switch of the model", () => {
		const last = { ...claude, timestamp: 1_000 };
		expect(isCacheCold(last, { ...claude, model: "other" }, 1_000, "short")).toBe(true);
		expect(isCacheCold(last, gpt, 1_000, "short")).toBe(true);
	});

	test.each([
		{ ...claude, retention: "short", minutes: 5 },
		{ ...claude, retention: "long", minutes: 60 },
		{ ...gpt, retention: "short", minutes: 10 },
		{ ...gpt, retention: "long", minutes: 24 * 60 },
	] as const)(
		"of $provider with $retention retention lives $minutes minutes",
		({ provider, model, retention, minutes }) => {
			const last = { provider, model, timestamp: 0 };
			expect(isCacheCold(last, last, minutes * MINUTE, retention)).toBe(false);
			expect(isCacheCold(last, last, minutes * MINUTE + 1, retention)).toBe(true);
		},
	);

	test("counts as warm when the clock went backwards", () => {
		expect(isCacheCold({ ...claude, timestamp: 60 * MINUTE }, claude, 0, "short")).toBe(false);
	});

	test("has the retention that pi is told", () => {
		expect(readRetention({ PI_CACHE_RETENTION: "long" })).toBe("long");
		expect(readRetention({})).toBe("short");
	});
});
