import { describe, expect, test } from "vitest";
import { flatPrices } from "../test-support/prices.ts";
import { readPrices } from "./price-list.ts";
import { nextStep, paidBackAfter, pricesAt, RETHOUGHT_SHARE, requestCost, withLongWrites } from "./prices.ts";

const tier = { above: 100_000, ...flatPrices({ input: 5, output: 25, read: 0.5, write: 6.25 }) };
const stepped = { ...flatPrices({ write: 1.25 }), tiers: [tier] };

describe("a price tier", () => {
	test("begins above its number of tokens and prices the whole request", () => {
		expect(pricesAt(stepped, 100_000).input).toBe(1);
		expect(pricesAt(stepped, 100_001).input).toBe(5);
		expect(requestCost(stepped, { fresh: 1, cached: 100_000, written: 0, output: 2 })).toBe(5 + 50_000 + 50);
	});

	test.each([
		[{ fresh: 100_001 }, 5 * 100_001],
		[{ fresh: 1, cached: 100_001 }, 5 + 0.5 * 100_001],
		[{ fresh: 1, written: 100_001 }, 5 + 6.25 * 100_001],
		[{ fresh: 1, longWritten: 100_001 }, 5 + 2 * 100_001],
		[{ fresh: 1, output: 100_001 }, 1 + 5 * 100_001],
	])("counts input of every kind, and no output: %o", (tokens, cost) => {
		const nothing = { fresh: 0, cached: 0, written: 0, longWritten: 0, output: 0 };
		expect(requestCost(stepped, { ...nothing, ...tokens })).toBeCloseTo(cost, 3);
	});

	test("is the next step for every request up to it, and none is above the last one", () => {
		expect(nextStep(stepped, 4)).toBe(100_000);
		expect(nextStep(stepped, 100_000)).toBe(100_000);
		expect(nextStep(stepped, 100_001)).toBe(Infinity);
		expect(nextStep(flatPrices(), 4)).toBe(Infinity);
	});
});

test("usage that is negative or not finite costs nothing", () => {
	const wrong = { fresh: -5, cached: Number.NaN, written: Infinity, longWritten: -1, output: -9 };
	expect(requestCost(stepped, wrong)).toBe(0);
	expect(requestCost(stepped, { ...wrong, fresh: 7 })).toBe(7);
});

test("long writes cost their own price in every tier", () => {
	const long = withLongWrites(stepped);
	expect([long.write, long.tiers[0]?.write]).toEqual([2, 2]);
});

describe("a pass is paid back", () => {
	const pass = { freed: 30_000, rewritten: 40_000, before: 80_000 };

	test("when cheaper requests have saved what rewriting costs more than reading", () => {
		expect(paidBackAfter(pass, flatPrices({ write: 1.25 }))).toBe(Math.ceil((40_000 * 1.15) / 3_000));
	});

	test("at once while the cache is cold, apart from thinking that is produced again", () => {
		expect(paidBackAfter({ ...pass, isCold: true }, flatPrices())).toBe(0);
		const forfeited = { ...pass, isCold: true, forfeited: 90_000 };
		expect(paidBackAfter(forfeited, flatPrices())).toBe(Math.ceil((90_000 * RETHOUGHT_SHARE * 5) / 3_000));
	});

	test("sooner below a tier, where all that stays is cheaper too", () => {
		const saving = 30_000 * 0.5 + 80_000 * 0.4;
		expect(paidBackAfter({ ...pass, rewritten: 90_000, before: 110_000 }, stepped)).toBe(
			Math.ceil((90_000 * 1.15) / saving),
		);
	});
});

describe("a price table", () => {
	const row = { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 };

	test("has its own price of long writes, unless that is none", () => {
		const longWrite = (cacheWrite1h: number) => {
			const read = readPrices({ ...row, cacheWrite1h });
			return read.type === "known" ? read.prices.longWrite : undefined;
		};
		expect(longWrite(6)).toBeCloseTo(6e-6, 12);
		for (const none of [0, -6, Number.NaN, 10_001]) expect(longWrite(none)).toBeCloseTo(8e-6, 12);
	});

	test("may hold any price up to the highest, and answers that cost nothing", () => {
		const known = (change: object) => readPrices({ ...row, ...change }).type;
		expect([known({ output: 10_000 }), known({ output: 10_000.01 })]).toEqual(["known", "unknown"]);
		expect([known({ output: 0 }), known({ input: 0 })]).toEqual(["known", "unknown"]);
	});

	test("names impossible tiers in one line, and puts the others in order", () => {
		const tier = (inputTokensAbove: number, input = 4) => ({ ...row, input, inputTokensAbove });
		const tiersOf = (...tiers: readonly ReturnType<typeof tier>[]) => {
			const read = readPrices({ ...row, tiers });
			return [read.type === "known" && read.prices.tiers.map(({ above }) => above), read.problem];
		};
		const impossible = (count: string) => `${count} price tiers are impossible and are left out`;
		expect(tiersOf(tier(200_000), tier(400_000))).toEqual([[200_000, 400_000], undefined]);
		expect(tiersOf(tier(1), tier(2))).toEqual([[1, 2], undefined]);
		expect(tiersOf(tier(0))).toEqual([[], impossible("1 of 1")]);
		expect(tiersOf(tier(200_000), tier(400_000, -1))).toEqual([[200_000], impossible("1 of 2")]);
		expect(tiersOf(tier(400_000), tier(200_000))).toEqual([[200_000, 400_000], undefined]);
		const both = tiersOf(tier(200_000), tier(100_000), tier(-1), tier(300_000, -4));
		expect(both).toEqual([[100_000, 200_000], impossible("2 of 4")]);
	});

	test.each([[-1], [Number.NaN], [Infinity], [1e9]])(
		"with an input price of %d is unknown, in one line",
		(input) => {
			const read = readPrices({ ...row, input });
			expect(read.type).toBe("unknown");
			expect(read.problem).toMatch(
				/^prices are input .*: each must be between 0 and 10000 dollars per million tokens$/,
			);
		},
	);
});
