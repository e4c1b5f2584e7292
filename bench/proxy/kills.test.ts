import { expect, test } from "vitest";
import { formatKills, measureKills } from "./kills.ts";

test("a proxy that is killed during a request and started again sends the same bytes", async () => {
	const figures = await measureKills(4, new AbortController().signal, 20261122);
	expect(figures).toMatchObject({ kills: 4, equal: 4 });
	// Without an eviction the same bytes would prove nothing about the store.
	expect(figures.evicted).toBeGreaterThan(0);
	expect(formatKills(figures)).toMatch(/^4 of 4 requests byte-equal/);
});
