import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import type { Item } from "../transcript/transcript.ts";
import { rangesByFile } from "./episode-lines.ts";

/** Calls that each ask for these lines of a file. */
function callsFor(...ranges: readonly (readonly [first: number, last: number])[]): readonly Item[] {
	return draft
		.build([draft.person(), draft.model(...ranges.map((_, index) => draft.call(`c${index}`, "read")))])
		.flatMap(({ items }) => items)
		.filter((item) => item.type === "call")
		.map((call, index) => {
			const [first = 1, last = 1] = ranges[index] ?? [];
			return { ...call, digest: { lines: [], paths: ["a.ts"], views: [{ path: "a.ts", first, last }] } };
		});
}

test.each([
	["one range", [[1, 240]], "1-240"],
	["up to the end of the file", [[300, Infinity]], "300-"],
	[
		"ranges in the order of the file",
		[
			[200, 240],
			[1, 80],
		],
		"1-80 200-240",
	],
	[
		"adjacent and overlapping ranges as one",
		[
			[1, 80],
			[81, 120],
			[100, 200],
		],
		"1-200",
	],
	[
		"ranges with a line between them apart",
		[
			[1, 80],
			[82, 90],
		],
		"1-80 82-90",
	],
	[
		"four ranges with the smallest gap filled",
		[
			[1, 10],
			[100, 110],
			[115, 120],
			[900, 910],
		],
		"1-10 100-120 900-910",
	],
	[
		"five ranges with the two smallest gaps filled, the first among them",
		[
			[1, 10],
			[20, 30],
			[100, 110],
			[115, 120],
			[900, 910],
		],
		"1-30 100-120 900-910",
	],
] as const)("a file is named with %s", (_, ranges, text) => {
	expect(rangesByFile(callsFor(...ranges)).get("a.ts")).toBe(text);
});
