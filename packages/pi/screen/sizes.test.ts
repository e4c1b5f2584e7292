import fc from "fast-check";
import { expect, test } from "vitest";
import { sum } from "#basics";
import { calibrate, countedBudget, uncalibrated } from "#core/ledger";
import { type Pass, viewOfLog } from "#core/log";
import { call, fold, model, person, result } from "../../core/test-support/message-builders.ts";
import { passTaking, passWith } from "../../core/test-support/passes.ts";
import { createSizes, episodeSizes, passSizes } from "./sizes.ts";

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

test("a part of a pass has the size that rows show of the same text: sealed thinking by its own factor, whatever the log kept of the pass", () => {
	const sizes = createSizes({ ...uncalibrated, samples: 9, factor: 2, sealedFactor: 0.5 });
	const strips = [
		{ episode: "a", level: 3 as const, items: ["a0", "a1"], tokens: 300 },
		{ episode: "b", level: 1 as const, items: ["b0"], tokens: 100 },
	];
	const pass = { ...passWith({ strips }), before: 1_000, after: 600, budget: 1_000 };
	const sealed: Readonly<Record<string, number>> = { a1: 100, b0: 100 };
	const sealedOf = (items: readonly string[]) => ({ sent: sum(items, (id) => sealed[id] ?? 0), unsent: 0 });
	const sizesOf = (reported?: Pass["reported"]) => {
		const { part } = passSizes({ ...pass, ...(reported && { reported }) }, sizes, sealedOf);
		return strips.map(({ items, tokens }) => part(tokens, sealedOf(items)));
	};
	expect(sizesOf()).toEqual([450, 50]);
	expect(sizesOf({ before: 2_000, after: 1_500, budget: 2_000 })).toEqual([450, 50]);
	expect(sizesOf({ before: 2_000, after: 1_450, budget: 2_000 })).toEqual([495, 55]);
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

test("an episode has all that it had when its parts left, and of the rest what the model in use is sent", () => {
	const thought = { type: "reasoning", tokens: 100, sealed: 90, sealedBy: "a" } as const;
	const graph = fold(
		person(10),
		model(thought, call("c", "read", {}, 10)),
		result("c", 300),
		model(thought, call("d", "read", {}, 10)),
		result("d", 300),
	);
	const [episode] = graph.episodes;
	const first = passTaking(episode?.id ?? "", ["1.0", "1.1", "2.0"], 410);
	const sizesFor = (used: string) =>
		episode && episodeSizes(episode, { view: viewOfLog([first]), model: used }, createSizes(uncalibrated));
	expect(sizesFor("a")).toEqual({ whole: 820, left: 410 });
	expect(sizesFor("b")).toEqual({ whole: 720, left: 310 });
});

test("what a made pass took keeps its size, whatever the provider reports of thinking later", () => {
	const made = {
		...passWith({ before: 900, after: 500 }),
		reported: { budget: 2_000, before: 1_800, after: 1_100 },
	};
	const partUnder = (sealedFactor: number, sealedWeight?: number) => {
		const sizes = createSizes({ ...uncalibrated, factor: 2, sealedFactor });
		const taken = { sent: 100, unsent: 0 };
		return passSizes({ ...made, ...(sealedWeight && { sealedWeight }) }, sizes, () => taken).part(150, taken);
	};
	expect([partUnder(1, 0.5), partUnder(3, 0.5)]).toEqual([200, 200]);
	// An older version kept no weight.
	expect(partUnder(3)).toBe(311);
});
