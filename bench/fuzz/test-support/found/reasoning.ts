/** Scripts about reasoning with the calls it led to, and about answers that look like another answer. */
import { answer, call, type Found, mark, nothing, thinking } from "./blocks.ts";

export const reasoning: readonly Found[] = [
	{
		name: "a blank text after a call that leaves its reasoning",
		policy: 21,
		operations: [
			answer(thinking, nothing, { ...call, size: 1 }),
			answer({ ...call, size: 100, fate: "fails" }, { ...mark, size: 100 }),
			{ type: "budget", budget: 3000 },
			{ type: "say", form: 0, size: 100, flavour: 0 },
		],
	},
	{
		name: "another model's reasoning that ends in a blank, before hidden shell output",
		model: 2,
		operations: [
			answer({ ...call, size: 0, fate: "fails" }, { type: "redacted", size: 468, flavour: 1 }),
			{ type: "batch", blocks: [], ending: "aborted", steers: false },
			{ type: "say", form: 4, size: 1, flavour: 0 },
		],
	},
	{
		name: "an empty answer with the time of another answer",
		operations: [
			answer({ ...mark, size: 100 }),
			answer({ ...mark, size: 1 }, { ...call, size: 100 }),
			{ type: "say", form: 7, size: 100, flavour: 0 },
			{ type: "clock", leap: -4 },
			answer({ ...call, size: 1 }),
			answer(),
			{ type: "crash", lines: 0 },
			{ type: "recall", pick: 0, isByModel: false },
		],
	},
	{
		name: "reasoning before an evicted call and blank reasoning before one that stays",
		operations: [
			answer(
				{ ...thinking, size: 1 },
				{ ...call, size: 2000, fate: "twice" },
				{ ...thinking, size: 0 },
				{ ...mark, size: 100 },
			),
			answer({ ...call, size: 808 }, thinking),
			answer(),
		],
	},
	{
		name: "a call after blank reasoning, and a branch summary that was evicted since",
		operations: [
			answer({ ...thinking, size: 2000, flavour: 13 }, { ...mark, size: 1 }),
			{ type: "move", pick: 10, hasSummary: true },
			answer(),
			answer({ ...call, size: 1 }),
			answer(),
		],
	},
	{
		name: "an evicted blank text from OpenAI, and the reasoning before it",
		model: 1,
		operations: [
			{
				type: "batch",
				blocks: [{ ...thinking, size: 1 }, nothing],
				ending: "length",
				steers: false,
			},
			answer({ ...call, size: 12, fate: "fails" }),
			answer(),
			answer({ ...call, tool: 5, size: 0 }, { ...mark, pick: 21, size: 100, isWrong: true }),
			{ type: "say", form: 7, size: 0, flavour: 0 },
			{ type: "evict", pick: 0 },
		],
	},
	{
		name: "a pinned episode with the reasoning that led to a call of another one",
		model: 6,
		operations: [
			answer(
				{ type: "redacted", size: 2000, flavour: 0 },
				{ ...call, size: 1, fate: "fails" },
				{ ...mark, size: 2000 },
			),
			{ type: "batch", blocks: [{ ...mark, size: 100 }], ending: "length", steers: false },
			{ type: "pin", pick: 0 },
			answer(),
			answer({ ...call, size: 100 }),
		],
	},
	{
		name: "two answers of one millisecond with the same sealed reasoning, the first of them evicted",
		operations: [
			answer(),
			answer({ type: "redacted", size: 0, flavour: 0 }, { type: "text", size: 100, flavour: 0 }),
			{
				type: "batch",
				blocks: [
					{ ...mark, size: 1 },
					{ type: "redacted", size: 1, flavour: 0 },
				],
				ending: "length",
				steers: false,
			},
			answer({ ...mark, size: 100 }),
			answer({ ...call, size: 100 }),
			answer(),
		],
	},
];
