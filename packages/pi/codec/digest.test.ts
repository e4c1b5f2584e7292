import { expect, test } from "vitest";
import { hashNames } from "./digest.ts";

const count = (text: string) => hashNames(text).length;

test("identifiers are names; plain words, numbers and short words are none", () => {
	expect(count("parseInput parse_input part12 HTTPServer4")).toBe(4);
	expect(count("everything passed in 12345678 ms, Done")).toBe(0);
	expect(count("aB1")).toBe(0);
});

test("a name counts once, wherever it stands", () => {
	expect(hashNames("parseInput(parseInput)")).toEqual(hashNames("x.parseInput\n"));
	expect(hashNames("parseInput")).not.toEqual(hashNames("parseOutput"));
	expect(hashNames("")).toEqual([]);
});
