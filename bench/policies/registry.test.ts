import { expect, test } from "vitest";
import { parsePolicies } from "./registry.ts";

test("names are looked up in their order, each once", () => {
	expect(parsePolicies("paper, none,paper").map(({ name }) => name)).toEqual(["paper", "none"]);
});

test.each(["", "papers", "none,oracle"])("%j names what is known", (list) => {
	expect(() => parsePolicies(list)).toThrow(/use one or more of none, recency, recency-low, masking, paper/);
});
