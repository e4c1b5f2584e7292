import fc from "fast-check";
import { expect, test } from "vitest";
import { paretoFront } from "./pareto-front.ts";

const choice = fc.record({ cost: fc.nat(20), worth: fc.nat(20) });

test("on the front stands what nothing beats, and nothing else", () => {
	fc.assert(
		fc.property(fc.array(choice, { minLength: 1 }), (choices) => {
			const front = paretoFront(choices);
			const beats = (a: (typeof choices)[number], b: (typeof choices)[number]) =>
				a.cost <= b.cost && a.worth >= b.worth && (a.cost < b.cost || a.worth > b.worth);
			for (const each of front) expect(choices.some((other) => beats(other, each))).toBe(false);
			const best = choices.filter((each) => !choices.some((other) => beats(other, each)));
			const key = ({ cost, worth }: (typeof choices)[number]) => `${cost} ${worth}`;
			expect(new Set(front.map(key))).toEqual(new Set(best.map(key)));
			expect(front.map(({ cost }) => cost)).toEqual(front.map(({ cost }) => cost).toSorted((a, b) => a - b));
		}),
	);
});
