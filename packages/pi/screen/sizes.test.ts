import fc from "fast-check";
import { expect, test } from "vitest";
import { calibrate, countedBudget, uncalibrated } from "#core/ledger";
import { createSizes } from "./sizes.ts";

test("until the provider has reported a request, a size is our own count with a mark", () => {
	const sizes = createSizes(uncalibrated);
	expect([sizes.whole(1_000), sizes.part(1_000), sizes.budget(1_000)]).toEqual([1_000, 1_000, 1_000]);
	expect([sizes.show(1_200), sizes.showWhole(80_000)]).toEqual(["~1.2k", "~80k"]);
});

test("a whole request that was reported has the size that the provider reported", () => {
	const size = fc.integer({ min: 1_000, max: 200_000 });
	fc.assert(
		fc.property(size, fc.double({ min: 0.8, max: 1.8, noNaN: true }), (counted, ratio) => {
			const reported = Math.round(ratio * counted);
			const sizes = createSizes(calibrate(uncalibrated, { counted, reported }));
			expect(sizes.isKnown).toBe(true);
			expect(Math.abs(sizes.whole(counted) - reported)).toBeLessThanOrEqual(1);
			expect(sizes.show(counted)).not.toContain("~");
		}),
	);
});

test("while thinking of another model is in the context, which is not sent, a size has a mark", () => {
	const calibration = calibrate(uncalibrated, { counted: 10_000, reported: 11_000 });
	const sizesAt = (unsent: number) => createSizes(calibration, { sent: 0, unsent });
	expect([sizesAt(0).show(1_000), sizesAt(300).show(1_000)]).toEqual(["1.1k", "~1.1k"]);
	expect(sizesAt(300).whole(10_300)).toBe(sizesAt(0).whole(10_000));
});

test("the limit of the settings is itself on every screen, whatever the calibration", () => {
	const size = fc.integer({ min: 2_000, max: 200_000 });
	const ratio = fc.double({ min: 0.8, max: 1.8, noNaN: true });
	fc.assert(
		fc.property(size, size, ratio, (limit, counted, factor) => {
			const calibration = calibrate(uncalibrated, { counted, reported: Math.round(factor * counted) });
			const sizes = createSizes(calibration, undefined, limit);
			const planned = countedBudget(calibration, limit);
			expect(sizes.budget(planned)).toBe(limit);
			expect(sizes.budget(Math.round(0.9 * planned))).toBeLessThan(limit);
		}),
	);
});
