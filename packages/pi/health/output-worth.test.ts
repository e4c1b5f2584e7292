import { expect, test } from "vitest";
import { formatTokens } from "#basics";
import { foldTranscript } from "#core/graph";
import { uncalibrated } from "#core/ledger";
import { build, call, model, person, result } from "../../core/test-support/message-builders.ts";
import { planInput } from "../../core/test-support/simulation.ts";
import { keptText, worthText } from "../screen/answers.ts";
import { createSizes } from "../screen/sizes.ts";
import { defaultToolTable } from "../tool-profiles.ts";
import { describeWorth, keptOutputs, type OutputWorth } from "./output-worth.ts";

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
	[{}, "src/a.ts, edited two turns ago, in unfinished work"],
	[{ turns: 1, did: "read" }, "src/a.ts, read in the last turn, in unfinished work"],
	[{ turns: 0 }, "src/a.ts, edited in this turn, in unfinished work"],
	[{ turns: 12 }, "src/a.ts, edited 12 turns ago, in unfinished work"],
	[{ keptBy: "mark" }, "src/a.ts, edited two turns ago, marked by the model to be kept"],
	[
		{ keptBy: "chance", did: "ran", output: "bash of fix" },
		"bash of fix, ran two turns ago, with a chance of 40 % that it is needed again",
	],
	[{ keptBy: null }, "src/a.ts, edited two turns ago, not worth its price"],
])("says what keeps an output: %j", (change, said) => {
	expect(worthText({ ...edited, ...change })).toBe(said);
});

test.each([
	["cat src/a.ts", "read", "src/a.ts"],
	["git diff src/a.ts", "read", "src/a.ts"],
	["echo '// ten' >> src/a.ts; git diff --stat", "ran", "bash of "],
	["npm run build && head src/a.ts", "ran", "bash of "],
])("a command that also changes something has not read a file: %s", (command, did, output) => {
	const digest = { lines: [], paths: ["src/a.ts"] };
	const asked = { ...call("c", "bash", { command }), digest };
	const graph = foldTranscript(build([person(), model(asked), result("c", 90)]), defaultToolTable);
	const item = graph.messages.flatMap(({ items }) => items).find(({ type }) => type === "call");
	const [episode] = graph.episodes;
	if (item?.type !== "call" || !episode) throw new Error("no call");
	const outlook = { chance: 0.1, alone: 90, age: 0, edited: 0 };
	const weighed = { ...outlook, call: item, episode, tokens: 90, gain: 1, isHeld: false };
	const input = { ...planInput(graph, { budget: 1_000 }), tools: defaultToolTable };
	const worth = describeWorth(weighed, input, createSizes(uncalibrated));
	expect(worth).toMatchObject({ did, output: expect.stringContaining(output) });
});

test("says what keeps an output, and which pass may still take it", () => {
	const said = "src/a.ts, edited two turns ago, in unfinished work";
	const leaves = { at: "full", dueIn: 2_400, idle: 0 } as const;
	expect(keptText({ ...edited, leaves: null }, formatTokens)).toBe(said);
	expect(keptText({ ...edited, leaves }, formatTokens)).toBe(`${said} (may leave within 2.4k tokens)`);
});
