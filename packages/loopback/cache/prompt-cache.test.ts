import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import {
	type Breakpoint,
	createPromptCache,
	LOOKBACK_BLOCKS,
	OPENAI_MINIMUM,
	OPENAI_STEP,
	type Prompt,
	type PromptCache,
} from "./prompt-cache.ts";
import { createSegmenter, type Segment, totalTokens } from "./segment.ts";

const segment = createSegmenter();

/** A segment of a given size in tokens. */
function weigh(bytes: string, tokens: number): Segment {
	return segment({ bytes, visible: () => [], framing: tokens });
}

const arbitrarySegment: fc.Arbitrary<Segment> = fc
	.tuple(fc.constantFrom("aaaa", "aabb", "bbbb"), fc.constantFrom(3, 500, 1100))
	.map(([bytes, tokens]) => weigh(bytes, tokens));

const TRUNK = Array.from({ length: 30 }, (_, place) => weigh(`trunk ${place}`, 100 + place));

/** Prompts that branch off one long conversation, as requests after an eviction or a retry do. */
const arbitraryPrompt: fc.Arbitrary<readonly Segment[]> = fc
	.tuple(fc.nat(TRUNK.length), fc.array(arbitrarySegment, { minLength: 1, maxLength: 5 }))
	.map(([length, tail]) => [...TRUNK.slice(0, length), ...tail]);

const arbitraryModel = fc.constantFrom("one", "two");

const automatic = (model: string, segments: readonly Segment[]): Prompt => ({
	model,
	segments,
	breakpoints: [],
});
const read = (cache: PromptCache, model: string, segments: readonly Segment[]) =>
	cache.measure("completions", automatic(model, segments)).read;

/** The rule itself, recomputed from all earlier requests. */
function sharedTokens(earlier: readonly Segment[], later: readonly Segment[]): number {
	const equal = later.findIndex((segment, index) => segment.digest !== earlier[index]?.digest);
	if (equal < 0) return totalTokens(later);
	const known = earlier[equal]?.bytes ?? "";
	const next = later[equal];
	const same = [...(next?.bytes ?? "")].findIndex((character, index) => character !== known[index]);
	const bytes = next?.bytes.length ?? 1;
	const part = Math.floor(((next?.tokens ?? 0) * (same < 0 ? bytes : same)) / bytes);
	return totalTokens(later.slice(0, equal)) + part;
}

function cachedTokens(earlier: readonly (readonly Segment[])[], later: readonly Segment[]): number {
	const shared = Math.max(0, ...earlier.map((prompt) => sharedTokens(prompt, later)));
	return shared < OPENAI_MINIMUM ? 0 : shared - (shared % OPENAI_STEP);
}

describe("the automatic prefix cache", () => {
	test("reads the longest prefix in common with any earlier request of the model", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(arbitraryModel, arbitraryPrompt), { maxLength: 12 }), (requests) => {
				const cache = createPromptCache(() => 0);
				for (const [index, [model, prompt]] of requests.entries()) {
					const earlier = requests.slice(0, index).filter(([other]) => other === model);
					const expected = cachedTokens(
						earlier.map(([, segments]) => segments),
						prompt,
					);
					expect(read(cache, model, prompt)).toBe(expected);
					cache.write("completions", automatic(model, prompt));
				}
			}),
		);
	});

	test("reads nothing below the minimum and whole steps above it", () => {
		const cache = createPromptCache(() => 0);
		const small = weigh("small", OPENAI_MINIMUM - 1);
		const more = weigh("more", OPENAI_STEP);
		cache.write("completions", automatic("m", [small]));
		expect(read(cache, "m", [small, more])).toBe(0);
		cache.write("completions", automatic("m", [small, more]));
		expect(read(cache, "m", [small, more])).toBe(OPENAI_MINIMUM);
	});
});

const MINUTE = 60_000;
const LIFETIME = 5 * MINUTE;
const MINIMUM = 1024;

interface Entry {
	expires: number;
	lifetime: number;
}

/** The rule itself, over a flat table of every prefix that was stored. */
function createTable(): (prompt: Prompt, now: number) => unknown {
	const entries = new Map<string, Entry>();
	return ({ model, segments, breakpoints }, now) => {
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

const arbitraryMarked: fc.Arbitrary<Omit<Prompt, "model">> = arbitraryPrompt.chain((segments) =>
	fc
		.uniqueArray(fc.nat(segments.length - 1), { maxLength: 4 })
		.chain((positions) => fc.tuple(fc.constant(positions), fc.nat(positions.length)))
		.map(([positions, long]) => ({
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
				const cache = createPromptCache(() => now);
				const expected = createTable();
				for (const [model, marked, pause] of requests) {
					const prompt = { model, ...marked };
					now += pause;
					expect(cache.measure("anthropic", prompt)).toMatchObject(Object(expected(prompt, now)));
					cache.write("anthropic", prompt);
				}
			}),
		);
	});
});

describe("a conversation with a moving breakpoint", () => {
	const head = weigh("head", 2000);
	const block = (name: number) => weigh(`block ${name}`, 10);
	const grown = (blocks: number): Prompt => {
		const segments = [head, ...Array.from({ length: blocks }, (_, name) => block(name))];
		return { model: "m", segments, breakpoints: [mark(segments.length - 1)] };
	};
	const mark = (position: number): Breakpoint => ({ position, lifetime: LIFETIME });

	let now: number;
	let cache: PromptCache;

	beforeEach(() => {
		now = 0;
		cache = createPromptCache(() => now);
	});

	test("reads what the request before wrote", () => {
		cache.write("anthropic", grown(5));
		expect(cache.measure("anthropic", grown(8))).toMatchObject({ read: 2050, written: 30, written1h: 0 });
	});

	test("finds the last entry within the lookback and none beyond it", () => {
		cache.write("anthropic", grown(1));
		expect(cache.measure("anthropic", grown(LOOKBACK_BLOCKS)).read).toBe(2010);
		expect(cache.measure("anthropic", grown(LOOKBACK_BLOCKS + 1)).read).toBe(0);
	});

	test("lives for its lifetime after the last hit", () => {
		cache.write("anthropic", grown(1));
		now = LIFETIME - 1;
		expect(cache.measure("anthropic", grown(2)).read).toBe(2010);
		cache.write("anthropic", grown(2));
		now += LIFETIME - 1;
		expect(cache.measure("anthropic", { ...grown(1), breakpoints: [mark(1)] }).read).toBe(2010);
		now += 1;
		expect(cache.measure("anthropic", grown(2)).read).toBe(0);
	});

	test("leaves what follows the last breakpoint as plain input", () => {
		const prompt = { ...grown(3), breakpoints: [mark(1)] };
		expect(cache.measure("anthropic", prompt)).toMatchObject({ read: 0, written: 2010, written1h: 0 });
	});

	test("ignores breakpoints below the minimum", () => {
		const segments = [weigh("short", MINIMUM - 1)];
		const prompt = { model: "m", segments, breakpoints: [mark(0)] };
		cache.write("anthropic", prompt);
		expect(cache.measure("anthropic", prompt)).toMatchObject({ read: 0, written: 0, written1h: 0 });
	});

	test("counts tokens up to the last one-hour breakpoint as one-hour writes", () => {
		const prompt = { ...grown(3), breakpoints: [{ position: 1, lifetime: 60 * MINUTE }, mark(3)] };
		expect(cache.measure("anthropic", prompt)).toMatchObject({ read: 0, written: 2030, written1h: 2010 });
	});
});

const source = (bytes: string, framing = 4) => ({ bytes, visible: () => [bytes], framing });

test("counts equal bytes once", () => {
	const segment = createSegmenter();
	let counted = 0;
	const watched = {
		...source("hello there"),
		visible: () => {
			counted++;
			return ["hello there"];
		},
	};
	expect(segment({ ...watched })).toBe(segment(watched));
	expect(counted).toBe(1);
});

test("keeps equal bytes with another framing apart", () => {
	const segment = createSegmenter();
	expect(segment(source("x", 4)).tokens - segment(source("x", 0)).tokens).toBe(4);
});
