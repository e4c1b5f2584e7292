import fc from "fast-check";
import { expect, test } from "vitest";
import {
	type Breakpoint,
	createPromptCache,
	LOOKBACK_BLOCKS,
	MINIMUM,
	OPENAI_STEP,
	type Prompt,
	type Segment,
	totalTokens,
} from "./prompt-cache.ts";

/** A segment of a given size in tokens. */
const weigh = (bytes: string, tokens: number): Segment => ({ bytes, tokens });

const arbitrarySegment: fc.Arbitrary<Segment> = fc
	.tuple(fc.constantFrom("aaaa", "aabb", "bbbb"), fc.constantFrom(3, 500, 1100))
	.map(([bytes, tokens]) => weigh(bytes, tokens));

const TRUNK = Array.from({ length: 30 }, (_, place) => weigh(`trunk ${place}`, 100 + place));

/** Prompts that branch off one long conversation, as requests after an eviction or a retry do. */
const arbitraryPrompt: fc.Arbitrary<readonly Segment[]> = fc
	.tuple(fc.nat(TRUNK.length), fc.array(arbitrarySegment, { minLength: 1, maxLength: 5 }))
	.map(([length, tail]) => [...TRUNK.slice(0, length), ...tail]);

const arbitraryModel = fc.constantFrom("one", "two");

const prompt = (segments: readonly Segment[], breakpoints?: readonly Breakpoint[], model = "m"): Prompt => ({
	...{ model, segments, ...(breakpoints && { breakpoints }) },
});

/** The rule itself: the longest prefix in common with one earlier request. */
function sharedTokens(earlier: readonly Segment[], later: readonly Segment[]): number {
	const equal = later.findIndex((one, index) => one.bytes !== earlier[index]?.bytes);
	if (equal < 0) return totalTokens(later);
	const known = earlier[equal]?.bytes ?? "";
	const next = later[equal];
	const same = [...(next?.bytes ?? "")].findIndex((character, index) => character !== known[index]);
	const bytes = next?.bytes.length ?? 1;
	const part = Math.floor(((next?.tokens ?? 0) * (same < 0 ? bytes : same)) / bytes);
	return totalTokens(later.slice(0, equal)) + part;
}

test("the automatic prefix cache reads the longest prefix in common with any earlier request of the model, in steps and from a minimum on", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(arbitraryModel, arbitraryPrompt), { maxLength: 12 }), (requests) => {
			const cache = createPromptCache(() => 0);
			for (const [index, [model, segments]] of requests.entries()) {
				const earlier = requests.slice(0, index).filter(([other]) => other === model);
				const shared = Math.max(0, ...earlier.map(([, one]) => sharedTokens(one, segments)));
				const expected = shared < MINIMUM ? 0 : shared - (shared % OPENAI_STEP);
				expect(cache.process("completions", prompt(segments, undefined, model)).read).toBe(expected);
			}
		}),
	);
});

const MINUTE = 60_000;
const LIFETIME = 5 * MINUTE;

/** The rule itself, over a flat table of every prefix that was stored. */
function createTable(): (prompt: Required<Prompt>, now: number) => unknown {
	const entries = new Map<string, { expires: number; lifetime: number }>();
	return ({ model, segments, breakpoints }, now) => {
		const keyAt = (at: number): string => `${model}:${segments.slice(0, at + 1).map(({ bytes }) => bytes)}`;
		const tokensAt = (at: number): number => totalTokens(segments.slice(0, at + 1));
		const marked = breakpoints.filter(({ position }) => tokensAt(position) >= MINIMUM);
		const reachable = marked.flatMap(({ position }) =>
			Array.from({ length: LOOKBACK_BLOCKS }, (_, back) => position - back).filter((at) => at >= 0),
		);
		const hit = Math.max(-1, ...reachable.filter((at) => (entries.get(keyAt(at))?.expires ?? 0) > now));
		const entry = entries.get(keyAt(hit));
		if (hit >= 0 && entry) entry.expires = now + entry.lifetime;
		for (const { position, lifetime } of marked)
			entries.set(keyAt(position), { expires: now + lifetime, lifetime });
		const read = tokensAt(hit);
		const lastLong = marked.findLast(({ lifetime }) => lifetime > LIFETIME);
		const behind = (mark: Breakpoint | undefined): number =>
			mark ? Math.max(0, tokensAt(mark.position) - read) : 0;
		return { read, written: behind(marked.at(-1)), written1h: behind(lastLong) };
	};
}

const arbitraryMarked: fc.Arbitrary<Omit<Required<Prompt>, "model">> = arbitraryPrompt.chain((segments) =>
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

test("the breakpoint cache reads and writes what a table of all stored prefixes says", () => {
	const request = fc.tuple(arbitraryModel, arbitraryMarked, fc.nat(4 * MINUTE));
	fc.assert(
		fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
			let now = 0;
			const cache = createPromptCache(() => now);
			const expected = createTable();
			for (const [model, marked, pause] of requests) {
				now += pause;
				const whole = { model, ...marked };
				expect(cache.process("anthropic", whole)).toMatchObject(Object(expected(whole, now)));
			}
		}),
	);
});

test("a cached prefix lives for its lifetime after the last hit, also where that was no breakpoint", () => {
	let now = 0;
	const cache = createPromptCache(() => now);
	const readAfter = (pause: number) => {
		now += pause;
		const segments = [weigh("head", 2000), weigh(`block ${now}`, 10)];
		return cache.process("anthropic", prompt(segments, [{ position: now && 1, lifetime: LIFETIME }])).read;
	};
	expect([0, LIFETIME - 1, LIFETIME - 1, LIFETIME].map(readAfter)).toEqual([0, 2000, 2000, 0]);
});
