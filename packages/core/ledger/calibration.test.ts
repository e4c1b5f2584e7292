import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	type CountSample,
	calibrate,
	countedBudget,
	countedTokens,
	reportedBudget,
	reportedTokens,
	uncalibrated,
} from "./calibration.ts";

const learn = (samples: readonly CountSample[]) => samples.reduce(calibrate, uncalibrated);

/** Contexts that grow and now and then shrink, as passes make them. */
const contexts = fc.array(fc.integer({ min: 2_000, max: 80_000 }), { minLength: 1, maxLength: 40 });

describe("calibration", () => {
	test("without any usage, counted tokens pass for reported ones", () => {
		expect(reportedTokens(uncalibrated, 1_234)).toBe(1_234);
		expect(countedTokens(uncalibrated, 1_234)).toBe(1_234);
		expect([reportedTokens(uncalibrated, 0), countedTokens(uncalibrated, 0)]).toEqual([0, 0]);
	});

	test("one report sets the estimate of the same request right", () => {
		expect(reportedTokens(learn([{ counted: 10_000, reported: 13_500 }]), 10_000)).toBe(13_500);
	});

	test("another tokenizer is learnt from the first report on", () => {
		fc.assert(
			fc.property(contexts, fc.double({ min: 0.65, max: 1.35, noNaN: true }), (counted, factor) => {
				const [first = 0, ...later] = counted;
				let calibration = learn([{ counted: first, reported: first * factor }]);
				for (const tokens of later) {
					const reported = tokens * factor;
					expect(Math.abs(reportedTokens(calibration, tokens) - reported)).toBeLessThan(1);
					calibration = calibrate(calibration, { counted: tokens, reported });
				}
			}),
		);
	});

	test("the first ratio counts as much as one step of a thousand tokens", () => {
		const calibration = learn([
			{ counted: 10_000, reported: 10_000 },
			{ counted: 11_000, reported: 11_300 },
		]);
		expect(calibration.factor).toBeCloseTo((1 + 1.3) / 2, 10);
		expect(reportedTokens(calibration, 11_000)).toBe(11_300);
	});

	test("a report of three times the count teaches, but no factor above two", () => {
		const twofold = learn([{ counted: 10_000, reported: 30_000 }]);
		expect([twofold.samples, twofold.factor, twofold.offset]).toEqual([1, 2, 10_000]);
		const half = learn([{ counted: 30_000, reported: 10_000 }]);
		expect([half.samples, half.factor]).toEqual([1, 0.5]);
		expect(learn([{ counted: 10_000, reported: 30_001 }]).samples).toBe(0);
		expect(learn([{ counted: 30_000, reported: 9_999 }]).samples).toBe(0);
	});

	test("framing that every request carries is learnt within a few requests", () => {
		const reported = (counted: number) => 2_500 + 1.2 * counted;
		const steps = [3_000, 4_500, 6_500, 9_000, 30_000, 78_000, 52_000];
		const calibration = learn(steps.map((counted) => ({ counted, reported: reported(counted) })));
		const after = reportedTokens(calibration, 80_000);
		expect(Math.abs(after - reported(80_000)) / reported(80_000)).toBeLessThan(0.01);
	});

	test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY, 5_000_000, 3])(
		"a report of %d tokens for 10,000 teaches nothing",
		(reported) => {
			const known = learn([{ counted: 9_000, reported: 10_000 }]);
			expect(calibrate(known, { counted: 10_000, reported })).toBe(known);
		},
	);

	test("a budget in reported tokens comes back as what it was", () => {
		fc.assert(
			fc.property(contexts, fc.integer({ min: 2_000, max: 1_000_000 }), (counted, budget) => {
				const calibration = learn(counted.map((tokens) => ({ counted: tokens, reported: tokens * 1.3 })));
				const back = reportedTokens(calibration, countedTokens(calibration, budget));
				expect(Math.abs(back - budget)).toBeLessThanOrEqual(2);
			}),
		);
	});

	test("what was counted short once is kept free, and given back when it does not happen again", () => {
		const even = { counted: 10_000, reported: 10_000 };
		const calm = learn([even, even]);
		expect(countedBudget(calm, 20_000)).toBe(20_000);
		const surprised = calibrate(calm, { counted: 10_000, reported: 10_200 });
		expect(surprised.shortfall).toBe(200);
		expect(reportedTokens(surprised, countedBudget(surprised, 20_000))).toBe(19_800);
		expect(reportedBudget(surprised, countedBudget(surprised, 20_000))).toBe(20_000);
		const later = Array.from({ length: 300 }, () => ({ counted: 10_000, reported: 10_200 }));
		expect(later.reduce(calibrate, surprised).shortfall).toBeLessThan(1);
	});

	test("the first report is no surprise: nothing was known before it", () => {
		expect(learn([{ counted: 10_000, reported: 13_000 }]).shortfall).toBe(0);
	});

	test("a tokenizer that changed for good is not feared for long", () => {
		const changed = calibrate(learn(Array(5).fill({ counted: 10_000, reported: 10_000 })), {
			counted: 10_000,
			reported: 13_000,
		});
		expect(changed.shortfall).toBe(260);
		expect(reportedTokens(changed, countedBudget(changed, 20_000))).toBe(19_740);
	});

	test("the next request keeps the budget when it is counted as badly as the last one", () => {
		const surprises = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 30 });
		fc.assert(
			fc.property(surprises, (extra) => {
				const samples = [0, ...extra].map((more) => ({ counted: 50_000, reported: 50_000 + more }));
				const worst = Math.max(...extra.slice(-1), 0) - (extra.at(-2) ?? 0);
				const calibration = learn(samples);
				const next = reportedTokens(calibration, countedBudget(calibration, 80_000)) + Math.max(0, worst);
				expect(next).toBeLessThanOrEqual(80_001);
			}),
		);
	});
});
