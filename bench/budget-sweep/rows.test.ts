import { expect, test } from "vitest";
import { findWorst } from "./rows.ts";

function session(...edits: readonly (readonly [needed: number, kept: number])[]) {
	const editCross = { needed: 0, kept: 0, recallable: 0 };
	return {
		results: edits.map(([needed, kept]) => ({
			grounding: { edit: { needed, kept, recallable: 0 }, editCross },
		})),
	};
}

test("the worst session is the one with most missed edits in all arms together, not the one with the lowest share", () => {
	const large = session([100, 95], [100, 80]);
	const small = session([2, 0], [2, 0]);
	const whole = session([500, 500], [500, 500]);
	expect(findWorst([small, large, whole])).toBe(large);
	expect(findWorst([])).toBeUndefined();
});
