import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCacheTimer } from "./cache-timer.ts";

beforeEach(() => {
	vi.useFakeTimers({ now: 1_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

function start() {
	const times: number[] = [];
	const timer = createCacheTimer();
	const set = (time: number) =>
		timer.set(time, async () => {
			times.push(Date.now());
			throw new Error("the session is closed");
		});
	return { timer, times, set };
}

test("the work is done once, right after the cache has expired", () => {
	const { times, set } = start();
	set(301_000);
	vi.advanceTimersByTime(300_000);
	expect(times).toEqual([]);
	vi.advanceTimersByTime(900_000);
	expect(times).toEqual([301_001]);
});

test("of two times the last one holds; none does after it was cleared, where it is past and where no cache ends", () => {
	const { timer, times, set } = start();
	set(2_000);
	set(5_000);
	vi.advanceTimersByTime(10_000);
	expect(times).toEqual([5_001]);
	set(20_000);
	timer.clear();
	set(9_000);
	set(Number.POSITIVE_INFINITY);
	set(Number.NEGATIVE_INFINITY);
	expect(vi.getTimerCount()).toBe(0);
	vi.advanceTimersByTime(100_000);
	expect(times).toEqual([5_001]);
});
