import { describe, expect, test } from "vitest";
import { type CacheRetention, cacheEnd, readLastWarming, readRetention } from "./cache-lifetime.ts";
import examples from "./cache-lifetime-examples.json" with { type: "json" };

const MINUTE = 60_000;
const claude = { provider: "anthropic", model: "claude", id: "claude" };
const gpt = { provider: "openai", model: "gpt", id: "gpt" };

type Next = Parameters<typeof cacheEnd>[1];

const isCacheCold = (
	last: Parameters<typeof cacheEnd>[0],
	next: Next,
	now: number,
	retention: CacheRetention,
	warming?: number,
) => now > cacheEnd(last, next, retention, warming);

describe("the provider's cache", () => {
	test("is cold after a switch of the model", () => {
		const last = { ...claude, timestamp: 1_000 };
		expect(isCacheCold(last, { ...claude, id: "other" }, 1_000, "short")).toBe(true);
		expect(isCacheCold(last, gpt, 1_000, "short")).toBe(true);
	});

	test("counts as warm when the clock went backwards", () => {
		expect(isCacheCold({ ...claude, timestamp: 60 * MINUTE }, claude, 0, "short")).toBe(false);
	});

	test.each(examples)(
		"of $model.id, which the host describes by $described, with $retention retention lives $minutes minutes",
		({ model, described, retention, minutes }) => {
			const next = { ...model, ...described };
			const last = { ...model, timestamp: 0 };
			const isColdAt = (now: number) => isCacheCold(last, next, now, retention as CacheRetention);
			expect(isColdAt(minutes * MINUTE)).toBe(false);
			expect(isColdAt(minutes * MINUTE + 1)).toBe(true);
		},
	);

	test("is warm for its lifetime after the host kept it warm", () => {
		const last = { ...claude, timestamp: 0 };
		expect(isCacheCold(last, claude, 9 * MINUTE, "short", 4 * MINUTE)).toBe(false);
		expect(isCacheCold(last, claude, 9 * MINUTE + 1, "short", 4 * MINUTE)).toBe(true);
		expect(isCacheCold({ ...last, timestamp: 5 * MINUTE }, claude, 10 * MINUTE, "short", 4 * MINUTE)).toBe(
			false,
		);
		expect(isCacheCold(last, gpt, MINUTE, "short", MINUTE)).toBe(true);
	});

	test("was kept warm when the session file says so last", () => {
		const at = (minutes: number) => new Date(minutes * MINUTE).toISOString();
		const warm = (timestamp: string) => ({ type: "usage", kind: "cache_warm", timestamp });
		const message = { type: "message", timestamp: at(9) };
		expect(readLastWarming([warm(at(4)), warm(at(8)), message])).toBe(8 * MINUTE);
		const summary = { ...warm(at(4)), kind: "summary" };
		expect(readLastWarming([summary, message])).toBeUndefined();
		expect(readLastWarming([warm("yesterday")])).toBeUndefined();
	});

	test("has the retention that pi is told", () => {
		expect(readRetention({ PI_CACHE_RETENTION: "long" })).toBe("long");
		expect(readRetention({})).toBe("short");
	});
});
