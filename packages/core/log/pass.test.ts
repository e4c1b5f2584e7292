import { expect, test } from "vitest";
import { passWith } from "../test-support/passes.ts";
import { changesContext, type Pass } from "./pass.ts";

const marker = { anchor: "a.0", text: "look", tokens: 3 };
const strips = [{ episode: "look", level: 3 as const, items: ["a.0"], tokens: 5 }];
const reductions = [{ episode: "fix", item: "b.0", form: 1 as const, tokens: 5 }];

test.each<[string, Partial<Pass>]>([
	["takes items", { strips }],
	["groups lines", { indexLines: [{ episodes: ["look", "fix"], marker }] }],
	["reductions an output", { reductions }],
	["shortens a message", { releases: [{ item: "c.0", head: 9, tail: 9, mark: "...", tokens: 5 }] }],
])("a pass that only %s changes the context", (_, part) => {
	expect(changesContext(passWith(part))).toBe(true);
});
