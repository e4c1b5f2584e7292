import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	type CountSample,
	calibrate,
	countedBudget,
	countedTokens,
	isCalibrated,
	reportedBudget,
	reportedPart,
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

	test("the first ratio counts as much as one step of 500 tokens, and each step is from one report to the next", () => {
		const calibration = learn([
			{ counted: 10_000, reported: 10_000 },
			{ counted: 10_500, reported: 10_350 },
		]);
		expect(calibration.factor).toBeCloseTo((1 + 0.7) / 2, 10);
		expect(reportedTokens(calibration, 10_500)).toBe(10_350);
		const next = calibrate(calibration, { counted: 11_000, reported: 10_850 });
		expect(next.factor).toBeCloseTo((1 + 0.7 + 1) / 3, 10);
	});

	test("the steps explain no more of a request than was reported: its parts sum to it, also once most of it has left", () => {
		const calibration = learn([
			{ counted: 40_000, reported: 40_000 },
			{ counted: 50_000, sealed: 5_000, reported: 50_600 },
			{ counted: 60_000, sealed: 5_000, reported: 60_600 },
			{ counted: 60_500, sealed: 5_000, reported: 60_600 },
		]);
		expect(calibration.offset).toBeCloseTo(0, 6);
		expect(reportedTokens(calibration, 60_500, 5_000)).toBe(60_600);
		const parts = reportedPart(calibration, 5_000, 5_000) + reportedPart(calibration, 55_500);
		expect(Math.abs(parts - 60_600)).toBeLessThanOrEqual(1);
		expect(reportedTokens(calibration, 3_000)).toBe(reportedPart(calibration, 3_000));
	});

	test("a tokenizer that counts three times as many is learned from the second report on", () => {
		const first = learn([{ counted: 10_000, reported: 30_000 }]);
		expect([first.samples, isCalibrated(first), reportedTokens(first, 10_000)]).toEqual([0, false, 10_000]);
		const second = calibrate(first, { counted: 10_500, reported: 31_500 });
		expect([isCalibrated(second), reportedTokens(second, 10_500)]).toEqual([true, 31_500]);
		const steps = Array.from({ length: 20 }, (_, step) => 11_000 + 2_000 * step);
		const later = steps.map((counted) => ({ counted, reported: 3 * counted })).reduce(calibrate, second);
		expect(later.factor).toBeCloseTo(3, 1);
	});

	test("text and sealed thinking have a factor each, whatever a pass takes", () => {
		const reported = (text: number, sealed: number) => 900 + 1.7 * text + 0.95 * sealed;
		const sizes = [
			[2_000, 0],
			[9_000, 3_000],
			[14_000, 9_000],
			[31_000, 12_000],
			[33_000, 24_000],
		] as const;
		const sample = ([text, sealed]: readonly [number, number]) => {
			return { counted: text + sealed, sealed, reported: reported(text, sealed) };
		};
		const calibration = learn(sizes.map(sample));
		expect(calibration.factor).toBeCloseTo(1.7, 1);
		expect(calibration.sealedFactor).toBeCloseTo(0.95, 1);
		const afterPass = reportedTokens(calibration, 12_000, 0);
		expect(Math.abs(afterPass - reported(12_000, 0)) / reported(12_000, 0)).toBeLessThan(0.02);
		const budget = countedBudget(calibration, 80_000, 24_000);
		expect(reportedBudget(calibration, budget, 24_000)).toBeCloseTo(80_000, -1);
	});

	const known = learn([
		{ counted: 20_000, reported: 21_000 },
		{ counted: 22_000, reported: 23_000 },
	]);

	test.each([
		["of twice the context, as usage that is summed over several requests", 48_000],
		["of a history that is gone", 70_000],
	])(
		"a single report %s changes no figure, and the figures are unknown until the next one",
		(_what, absurd) => {
			const doubted = calibrate(known, { counted: 23_000, reported: absurd });
			expect(reportedTokens(doubted, 23_000)).toBe(reportedTokens(known, 23_000));
			expect(countedBudget(doubted, 40_000)).toBe(countedBudget(known, 40_000));
			expect([isCalibrated(known), isCalibrated(doubted)]).toEqual([true, false]);
			const next = calibrate(doubted, { counted: 24_000, reported: 25_000 });
			expect([isCalibrated(next), next.shortfall]).toEqual([true, 0]);
			expect(next.factor).toBeCloseTo(1, 1);
		},
	);

	test("two reports in a row that agree with each other are believed", () => {
		const moved = [
			{ counted: 23_000, reported: 60_000 },
			{ counted: 25_000, reported: 62_000 },
		].reduce(calibrate, known);
		expect([isCalibrated(moved), moved.shortfall]).toEqual([true, 0]);
		expect(reportedTokens(moved, 30_000)).toBeCloseTo(67_000, -2);
	});

	test.each([0, -5, 3, 100, 9_000_000, Number.NaN, Number.POSITIVE_INFINITY])(
		"a report of %d tokens for 10,000 teaches nothing",
		(reported) => {
			const known = learn([{ counted: 9_000, reported: 10_000 }]);
			const once = calibrate(known, { counted: 10_000, reported });
			expect([once, calibrate(once, { counted: 10_100, reported })]).toEqual([known, known]);
		},
	);

	test("a budget in reported tokens comes back as what it was", () => {
		const errors = fc.array(fc.double({ min: 1.2, max: 1.4, noNaN: true }), { minLength: 1 });
		const budgets = fc.integer({ min: 2_000, max: 1_000_000 });
		fc.assert(
			fc.property(contexts, errors, budgets, (counted, factors, budget) => {
				const samples = counted.map((tokens, at) => ({
					counted: tokens,
					reported: tokens * (factors[at % factors.length] ?? 1.3),
				}));
				const calibration = learn(samples);
				fc.pre(budget > calibration.offset);
				const back = reportedTokens(calibration, countedTokens(calibration, budget));
				// Half of a counted token, and half of a reported one.
				expect(Math.abs(back - budget)).toBeLessThanOrEqual(Math.ceil((1 + calibration.factor) / 2));
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
		expect(later.slice(0, 34).reduce(calibrate, surprised).shortfall).toBeCloseTo(100, -1);
		expect(later.reduce(calibrate, surprised).shortfall).toBeLessThan(1);
	});

	test("a tokenizer that changed for good is not feared for long", () => {
		const changed = calibrate(learn(Array(5).fill({ counted: 10_000, reported: 10_000 })), {
			counted: 10_000,
			reported: 13_000,
		});
		expect(changed.shortfall).toBe(260);
		expect(reportedTokens(changed, countedBudget(changed, 20_000))).toBe(19_740);
	});
});

test("a hundredth of a small request is no size of it", () => {
	const first = calibrate(uncalibrated, { counted: 1_500, reported: 15 });
	expect(first).toBe(uncalibrated);
});
