import { expect, test } from "vitest";
import { nearestName, suggestName } from "./nearest.ts";

const commands = ["demo", "replay", "report", "resume", "tool"];

test.each([
	["repaly", "replay"],
	["reprot", "report"],
	["Demo", "demo"],
	["toll", "tool"],
	["resum", "resume"],
	["tloo", "tool"],
])("%s is a typo of %s", (typed, meant) => {
	expect(nearestName(typed, commands)).toBe(meant);
});

test.each(["fix", "to", "explain", "", "x".repeat(1_000)])("%s is another word", (typed) => {
	expect(nearestName(typed, commands)).toBeUndefined();
	expect(suggestName(typed, commands)).toBe("");
});
