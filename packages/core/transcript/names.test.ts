import { expect, test } from "vitest";
import { distinctFiles, findFileNames, findIdentifiers } from "./names.ts";

test("files go by their last two components and by their last", () => {
	expect([...findFileNames('see "/home/me/src/core/fold.ts:12" and ./README.md.')]).toEqual([
		"core/fold.ts",
		"fold.ts",
		"README.md",
	]);
});

test("words, numbers and unknown extensions name no file", () => {
	expect([...findFileNames("e.g. 3.14 a.b .ts obj.method src/main.unknown")]).toEqual([]);
});

test("a file named with and without its folder is one file", () => {
	expect(distinctFiles(findFileNames("src/a.ts a.ts b.ts"))).toEqual(["src/a.ts", "b.ts"]);
});

test("identifiers are long and no plain words", () => {
	const text = "parseBudget read_lines sha256sum important short1 SOMETHING MAX_TOKENS dispatcher";
	expect([...findIdentifiers(text)]).toEqual(["parseBudget", "read_lines", "sha256sum", "MAX_TOKENS"]);
});

test("the escapes of a script do not stick to names", () => {
	expect([...findIdentifiers("a\\nfooBarBaz\\tquxQuux9")]).toEqual(["fooBarBaz", "quxQuux9"]);
	expect([...findFileNames("cat\\nsrc/a.ts")]).toEqual(["src/a.ts", "a.ts"]);
});

test("no text makes it slow", () => {
	for (const unit of [".", "./", "-", "a.", "a_"]) {
		expect(findFileNames(`${unit.repeat(200_000)}x`).size).toBe(0);
		expect(findIdentifiers(`${unit.repeat(200_000)}x`).size).toBeLessThan(2);
	}
});
