import { expect, test } from "vitest";
import { uncalibrated } from "#core/ledger";
import { createSizes } from "#pi/screen";
import { causeOf } from "./why.ts";

test("a budget is a setting, and no estimate as the size of a request may be", () => {
	const sizes = { version: 1 as const, policy: "cwl", budget: 24_000, before: 32_000, after: 20_000 };
	const pass = { ...sizes, strips: [], blockers: [] };
	expect(causeOf(pass, createSizes(uncalibrated))).toBe("the context was at ~32k tokens of 24k");
});
