import { expect, test } from "vitest";
import { policyByName, policyNames } from "./live-policies.ts";

test("every policy is found by its name, and no two share one", () => {
	const names = policyNames();
	expect(names.map((name) => policyByName(name).name)).toEqual(names);
	expect(new Set(names).size).toBe(names.length);
});

test("the six policies of seed 002 are among them", () => {
	const seed = ["fifo", "lru", "priority", "type", "semantic-merge", "hybrid"];
	expect(policyNames()).toEqual(expect.arrayContaining(seed));
});

test.each(["", "Paper", "__proto__", "constructor"])("the name %j falls back to cwl", (name) => {
	expect(policyByName(name).name).toBe("cwl");
});
