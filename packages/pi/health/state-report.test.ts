/** The parts of a request where the provider counts it differently from their sum. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { fitParts } from "./state-report.ts";

test("parts that sum to more than the provider counted share the difference: none is negative, and they sum to its count", () => {
	expect(fitParts({ user: 900, act: 3_000, expl: 6_100 }, 9_755)).toEqual({
		user: 878,
		act: 2_926,
		expl: 5_951,
	});
	expect(fitParts({ user: 900, act: 3_000 }, 4_000)).toEqual({ user: 900, act: 3_000 });
	const tokens = fc.nat(100_000);
	fc.assert(
		fc.property(fc.record({ user: tokens, act: tokens, expl: tokens }), tokens, (parts, room) => {
			const fitted = fitParts(parts, room);
			const sumOf = ({ user, act, expl }: typeof fitted) => user + act + expl;
			expect(sumOf(fitted)).toBe(Math.min(room, sumOf(parts)));
			for (const name of ["user", "act", "expl"] as const) {
				expect(fitted[name]).toBeGreaterThanOrEqual(0);
				expect(fitted[name]).toBeLessThanOrEqual(parts[name]);
			}
		}),
	);
});
