import fc from "fast-check";
import { expect, test } from "vitest";
import { accountFor } from "../ledger/request-account.ts";

const tokens = fc.integer({ min: 0, max: 200_000 });

test("rule 16: every reported token is in exactly one column", () => {
	fc.assert(
		fc.property(
			tokens,
			tokens,
			fc.boolean(),
			fc.boolean(),
			tokens,
			tokens,
			(shared, added, hasPass, isCold, input, read) => {
				const account = accountFor({ shared, added, hasPass, isCold }, { input, cached: read });
				const columns = Object.values(account);
				expect(columns.reduce((sum, column) => sum + column, 0)).toBe(input);
				expect(Math.min(...columns)).toBeGreaterThanOrEqual(0);
			},
		),
	);
});
