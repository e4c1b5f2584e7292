import { expect, test } from "vitest";
import { nameRun } from "./fold-state.ts";

test("a name is the FNV-1a hash of where the run begins, so that it is the same in every version", () => {
	// 0xe40c292c and 0xbf9cf968, the published hashes of these texts.
	expect(nameRun("a", () => false)).toBe("unmarked-2220");
	expect(nameRun("foobar", () => false)).toBe("unmarked-735720");
});

test("a name that is taken gives way to the next that is free", () => {
	const taken = ["unmarked-2220", "unmarked-2221"];
	expect(nameRun("a", (name) => taken.includes(name))).toBe("unmarked-2222");
});
