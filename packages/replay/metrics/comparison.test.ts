import { expect, test } from "vitest";
import { type ComparedSession, compare } from "./comparison.ts";
import { emptyGrounding } from "./grounding.ts";

function session(anthropic: number, kept: number, needed = 10): ComparedSession {
	const edit = { needed, kept, recallable: 0 };
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

test("one session has a figure and no interval", () => {
	expect(compare([session(50, 9)], [session(100, 10)]).cost.anthropic).toEqual({
		value: 0.5,
		low: null,
		high: null,
	});
});

test("without sessions there is nothing to compare", () => {
	expect(compare([], [])).toMatchObject({ cost: { anthropic: null }, grounding: { edit: null } });
});
