import { expect, test } from "vitest";
import { withoutRecall } from "./markers.ts";

test.each([
	[
		'[act "read a", evicted 2.3k: src/a.ts; recall "read a"] Found it.',
		'[act "read a", evicted 2.3k: src/a.ts] Found it.',
	],
	["[expl run-1, evicted 900; recall run-1]", "[expl run-1, evicted 900]"],
	[
		'[3 episodes, evicted 9.1k; recall by name or file: "a", "b", "c"]',
		'[3 episodes, evicted 9.1k; "a", "b", "c"]',
	],
	['[expl "a", evicted] It says "; recall me".', '[expl "a", evicted] It says "; recall me".'],
])("%s names no tool that the agent does not have", (line, expected) => {
	expect(withoutRecall(line)).toBe(expected);
});
