import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { arbitraryModel, arbitraryPrompt, weigh } from "../test-support/weighted-segments.ts";
import {
	type Breakpoint,
	type BreakpointCache,
	type CacheUse,
	createBreakpointCache,
	LOOKBACK_BLOCKS,
	type MarkedPrompt,
} from "./breakpoints.ts";
import { totalTokens } from "./segment.ts";

const MINUTE = 60_000;
const LIFETIME = 5 * MINUTE;
const MINIMUM = 1024;
const LIMITS = { minimum: MINIMUM, lookback: LOOKBACK_BLOCKS };

interface Entry {
	expires: number;
	lifetime: number;
}

/** The rule itself, over a flat table of every prefix that was stored. */
function createTable(): (model: string, prompt: MarkedPrompt, now: number) => CacheUse {
	const entries = new Map<string, Entry>();
	return (model, { segments, breakpoints }, now) => {
		const keyAt = (at: number): string =>
			`${model}:${segments.slice(0, at + 1).map((segment) => segment.digest)}`;
		const tokensAt = (at: number): number => totalTokens(segments.slice(0, at + 1));
		const marked = breakpoints.filter(({ position }) => tokensAt(position) >= MINIMUM);
		const reachable = marked.flatMap(({ position }) =>
			Array.from({ length: LOOKBACK_BLOCKS }, (_, back) => position - back).filter((at) => at >= 0),
		);
		const hit = Math.max(-1, ...reachable.filter((at) => (entries.get(keyAt(at))?.expires ?? 0) > now));
		const entry = entries.get(keyAt(hit));
		if (hit >= 0 && entry) entry.expires = now + entry.lifetime;
		for (const { position, lifetime } of marked) {
			entries.set(keyAt(position), { expires: now + lifetime, lifetime });
		}
		const last = marked.at(-1);
		const read = tokensAt(hit);
		const lastLong = marked.findLast(({ lifetime }) => lifetime > LIFETIME);
		const behind = (mark: Breakpoint | undefined): number =>
			mark ? Math.max(0, tokensAt(mark.position) - read) : 0;
		return { read, written: behind(last), written1h: behind(lastLong) };
	};
}

const arbitraryMarked: fc.Arbitrary<MarkedPrompt> = arbitraryPrompt.chain((segments) =>
	fc
		.uniqueArray(fc.nat(segments.length - 1), { maxLength: 4 })
		.chain((positions) => fc.tuple(fc.constant(positions), fc.nat(positions.length)))
		.map(([positions, long]) => ({
			...LIMITS,
			segments,
			breakpoints: positions
				.sort((a, b) => a - b)
				.map((position, at) => ({ position, lifetime: at < long ? 60 * MINUTE : LIFETIME })),
		})),
);

describe("the breakpoint cache", () => {
	test("reads and writes what a table of all stored prefixes says", () => {
		const request = fc.tuple(arbitraryModel, arbitraryMarked, fc.nat(4 * MINUTE));
		fc.assert(
			fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
				let now = 0;
				const cache = createBreakpointCache(() => now);
				const expected = createTable();
				for (const [model, prompt, pause] of requests) {
					now += pause;
					expect(cache.measure(model, prompt)).toEqual(expected(model, prompt, now));
					cache.write(model, prompt);
				}
			}),
		);
	});
});

describe("a conversation with a moving breakpoint", () => {
	const head = weigh("head", 2000);
	const block = (name: number) => weigh(`block ${name}`, 10);
	const grown = (blocks: number): MarkedPrompt => {
		const segments = [head, ...Array.from({ length: blocks }, (_, name) => block(name))];
		return { ...LIMITS, segments, breakpoints: [mark(segments.length - 1)] };
	};
	const mark = (position: number): Breakpoint => ({ position, lifetime: LIFETIME });

	let now: number;
	let cache: BreakpointCache;

	beforeEach(() => {
		now = 0;
		cache = createBreakpointCache(() => now);
	});

	test("reads what the request before wrote", () => {
		cache.write("m", grown(5));
		expect(cache.measure("m", grown(8))).toEqual({ read: 2050, written: 30, written1h: 0 });
	});

	test("finds the last entry within the lookback and none beyond it", () => {
		cache.write("m", grown(1));
		expect(cache.measure("m", grown(LOOKBACK_BLOCKS)).read).toBe(2010);
		expect(cache.measure("m", grown(LOOKBACK_BLOCKS + 1)).read).toBe(0);
	});

	test("lives for its lifetime after the last hit", () => {
		cache.write("m", grown(1));
		now = LIFETIME - 1;
		expect(cache.measure("m", grown(2)).read).toBe(2010);
		cache.write("m", grown(2));
		now += LIFETIME - 1;
		expect(cache.measure("m", { ...grown(1), breakpoints: [mark(1)] }).read).toBe(2010);
		now += 1;
		expect(cache.measure("m", grown(2)).read).toBe(0);
	});

	test("leaves what follows the last breakpoint as plain input", () => {
		const prompt = { ...grown(3), breakpoints: [mark(1)] };
		expect(cache.measure("m", prompt)).toEqual({ read: 0, written: 2010, written1h: 0 });
	});

	test("ignores breakpoints below the minimum", () => {
		const segments = [weigh("short", MINIMUM - 1)];
		const prompt = { ...LIMITS, segments, breakpoints: [mark(0)] };
		cache.write("m", prompt);
		expect(cache.measure("m", prompt)).toEqual({ read: 0, written: 0, written1h: 0 });
	});

	test("counts tokens up to the last one-hour breakpoint as one-hour writes", () => {
		const prompt = { ...grown(3), breakpoints: [{ position: 1, lifetime: 60 * MINUTE }, mark(3)] };
		expect(cache.measure("m", prompt)).toEqual({ read: 0, written: 2030, written1h: 2010 });
	});
});
