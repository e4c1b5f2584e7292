import { expect, test } from "vitest";
import { isRecord } from "./unchecked.ts";

test.each([
	[{}, true],
	[{ a: 1 }, true],
	[Object.create(null), true],
	[null, false],
	[[], false],
	["text", false],
	[undefined, false],
])("%j is a record: %s", (value, expected) => {
	expect(isRecord(value)).toBe(expected);
});
