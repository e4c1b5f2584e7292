import fc from "fast-check";
import { expect, test } from "vitest";
import { bootstrap, type ComparedSession, compare } from "./comparison.ts";
import { emptyGrounding } from "./grounding.ts";

function session(anthropic: number, kept: number, needed = 10): ComparedSession {
	const edit = { needed, kept };
	return { cost: { anthropic, openai: 2 * anthropic }, grounding: { ...emptyGrounding, edit } };
}

test("cost is compared as a share, grounding as a difference, session by session", () => {
	const own = [session(50, 9), session(150, 7)];
	const other = [session(100, 10), session(300, 5)];
	const { cost, grounding } = compare(own, other);
	expect(cost.anthropic).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
	expect(cost.openai?.value).toBe(0.5);
	expect(grounding.edit?.value).toBeCloseTo(1 / 20);
	expect(grounding.edit?.low).toBeCloseTo(-1 / 10);
	expect(grounding.edit?.high).toBeCloseTo(2 / 10);
	expect(grounding.self).toBeNull();
});

test("without sessions there is nothing to compare", () => {
	expect(compare([], [])).toMatchObject({ cost: { anthropic: null }, grounding: { edit: null } });
});

const ratio = ([a = 0, b = 0]: readonly number[]) => a / b;
const amount = fc.integer({ min: 1, max: 1_000 });

test("the interval lies within what single sessions say, and is the same each time", () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(amount, amount), { minLength: 2, maxLength: 30 }), (rows) => {
			const interval = bootstrap(rows, ratio);
			const single = rows.map(ratio);
			expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...single) - 1e-9);
			expect(interval?.high).toBeLessThanOrEqual(Math.max(...single) + 1e-9);
			expect(bootstrap(rows, ratio)).toEqual(interval);
		}),
		{ numRuns: 20 },
	);
});

test("one session says nothing of others, nor do sessions without the quantity", () => {
	expect(bootstrap([[1, 2]], ratio)).toBeUndefined();
	expect(bootstrap(Array(2).fill([0, 0]), ratio)).toBeUndefined();
});
