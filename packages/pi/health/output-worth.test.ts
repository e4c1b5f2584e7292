import { expect, test } from "vitest";
import { worthText } from "../screen/answers.ts";
import { keptOutputs, type OutputWorth } from "./output-worth.ts";

const edited: OutputWorth = {
	output: "src/a.ts",
	did: "edited",
	turns: 2,
	tokens: 900,
	keptBy: "held",
	chance: 0.4,
};

test("names the three that cost most to keep, each file once, and none that is small and new or leaves", () => {
	const worths: readonly OutputWorth[] = [
		edited,
		{ ...edited, turns: 1, tokens: 250 },
		{ ...edited, output: "src/small.ts", turns: 1, tokens: 199 },
		{ ...edited, output: "src/gone.ts", keptBy: null, tokens: 9_000 },
		{ ...edited, output: "src/old.ts", turns: 40, tokens: 100 },
		{ ...edited, output: "src/large.ts", turns: 1, tokens: 5_000 },
		{ ...edited, output: "src/less.ts", turns: 1, tokens: 300 },
	];
	expect(keptOutputs(worths).map(({ output, turns }) => `${output} ${turns}`)).toEqual([
		"src/large.ts 1",
		"src/old.ts 40",
		"src/a.ts 2",
	]);
});

test.each<[Partial<OutputWorth>, string]>([
	[{}, "src/a.ts, edited two turns ago, in the work in hand"],
	[{ turns: 1, did: "read" }, "src/a.ts, read in the last turn, in the work in hand"],
	[{ turns: 0 }, "src/a.ts, edited in this turn, in the work in hand"],
	[{ turns: 12 }, "src/a.ts, edited 12 turns ago, in the work in hand"],
	[
		{ keptBy: "chance", did: "ran", output: "bash of fix" },
		"bash of fix, ran two turns ago, with a chance of 40 % that it is needed again",
	],
	[{ keptBy: null }, "src/a.ts, edited two turns ago, not worth its price"],
])("says what keeps an output: %j", (change, said) => {
	expect(worthText({ ...edited, ...change })).toBe(said);
});
