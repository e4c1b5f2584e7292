import { expect, test } from "vitest";
import { parsePolicies } from "./registry.ts";

test("names are looked up in their order, each once", () => {
	expect(parsePolicies("paper, none,paper").map(({ name }) => name)).toEqual(["paper", "none"]);
});

test("all stands for every one", () => {
	const names = parsePolicies("all").map(({ name }) => name);
	expect(names).toContain("paper");
	expect(new Set(names).size).toBe(names.length);
});

test("a contender with other knobs is one of its own", () => {
	const names = parsePolicies("masking,masking:keep=3,compaction:keep=10k:summary=500").map(
		({ name }) => name,
	);
	expect(names).toEqual(["masking", "masking:keep=3", "compaction:keep=10k:summary=500"]);
});

test.each(["", "papers", "none,oracle"])("%j names what is known", (list) => {
	expect(() => parsePolicies(list)).toThrow(/use one or more of none, recency, .*paper/);
});

test.each(["masking:keep", "masking:keep=many", "masking:lose=3", "none:keep=1"])(
	"%s names the knobs that there are",
	(policy) => {
		expect(() => parsePolicies(policy)).toThrow(expect.objectContaining({ code: "bad-knob" }));
	},
);
