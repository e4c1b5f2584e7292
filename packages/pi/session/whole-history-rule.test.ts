import fc from "fast-check";
import { expect, test } from "vitest";
import { open, requestPoints, under, upTo } from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";

/** Freezes a value and everything in it, so that whoever changes it fails. */
function freeze<T>(value: T): T {
	if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) freeze(inner);
	return Object.freeze(value);
}

test("rule 18: requests, passes and undos change nothing of the history that they are given", () => {
	fc.assert(
		fc.property(anyHostSession, anyBudget, fc.nat({ max: 20 }), (messages, budget, undone) => {
			const session = open();
			for (const [index, point] of requestPoints(messages).entries()) {
				const history = freeze(upTo(messages, point));
				expect(() => session.request(history, under(budget))).not.toThrow();
				if (index === undone) expect(() => session.undo(history, under(budget))).not.toThrow();
			}
		}),
	);
});
