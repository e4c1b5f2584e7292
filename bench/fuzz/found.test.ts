/** Small sessions that broke a rule once, as the campaign found them. */
import { expect, test } from "vitest";
import type { Block, Operation } from "./operations.ts";
import { runScript } from "./session-run.ts";

const call = { type: "call", tool: 0, flavour: 0, fate: "comes", sameId: false, hasImage: false } as const;
const mark = { type: "mark", kind: "expl", pick: 0, flavour: 0, isWrong: false } as const;
const thinking = { type: "thinking", size: 100, flavour: 0 } as const;
const nothing = { type: "text", size: 0, flavour: 0 } as const;

function answer(...blocks: readonly Block[]): Operation {
	return { type: "batch", blocks, ending: "well", steers: false };
}

/** What it is, the model, the policy, and what happens. */
const sessions: readonly (readonly [string, number, number, readonly Operation[]])[] = [
	[
		"a blank text after a call that leaves its reasoning",
		0,
		21,
		[
			answer(thinking, nothing, { ...call, size: 1 }),
			answer({ ...call, size: 100, fate: "fails" }, { ...mark, size: 100 }),
			{ type: "budget", budget: 3000 },
			{ type: "say", form: 0, size: 100, flavour: 0 },
		],
	],
	[
		"another model's reasoning that ends in a blank, before what is hidden from the model",
		2,
		0,
		[
			answer({ ...call, size: 0, fate: "fails" }, { type: "redacted", size: 468, flavour: 1 }),
			{ type: "batch", blocks: [], ending: "aborted", steers: false },
			{ type: "say", form: 4, size: 1, flavour: 0 },
		],
	],
	[
		"an empty answer of the time of another one",
		0,
		0,
		[
			answer({ ...mark, size: 100 }),
			answer({ ...mark, size: 1 }, { ...call, size: 100 }),
			{ type: "say", form: 7, size: 100, flavour: 0 },
			{ type: "clock", leap: -4 },
			answer({ ...call, size: 1 }),
			answer(),
			{ type: "crash", lines: 0 },
			{ type: "recall", pick: 0, isByModel: false },
		],
	],
	[
		"a move from before a compaction to after it",
		0,
		0,
		[
			{ type: "compact", pick: 0, size: 1 },
			answer(),
			{ type: "move", pick: 0, hasSummary: false },
			{ type: "move", pick: 10, hasSummary: false },
			{ type: "say", form: 0, size: 100, flavour: 0 },
		],
	],
	[
		"reasoning before a call that left and blank reasoning before one that stays",
		0,
		0,
		[
			answer(
				{ ...thinking, size: 1 },
				{ ...call, size: 2000, fate: "twice" },
				{ ...thinking, size: 0 },
				{ ...mark, size: 100 },
			),
			answer({ ...call, size: 808 }, thinking),
			answer(),
		],
	],
	[
		"a compaction after a description that made its line longer",
		0,
		0,
		[
			answer({ ...call, size: 100 }),
			{ type: "say", form: 7, size: 100, flavour: 0 },
			answer({ ...call, tool: 4, size: 0 }, { ...mark, size: 1 }),
			{ type: "describe", pick: 21 },
			{ type: "compact", pick: 0, size: 1 },
		],
	],
	[
		"a compaction that cuts into an episode with a failed call that had left",
		0,
		1,
		[
			answer({ ...mark, size: 1 }),
			answer({ ...call, size: 100, fate: "fails" }, { ...mark, size: 100 }),
			answer({ type: "text", size: 100, flavour: 0 }),
			{ type: "compact", pick: 62, size: 100 },
		],
	],
	[
		"a call after blank reasoning, and a branch summary that left since",
		0,
		0,
		[
			answer({ ...thinking, size: 2000, flavour: 13 }, { ...mark, size: 1 }),
			{ type: "move", pick: 10, hasSummary: true },
			answer(),
			answer({ ...call, size: 1 }),
			answer(),
		],
	],
	[
		"a blank text of OpenAI's that leaves, and the reasoning before it",
		1,
		0,
		[
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
	],
	[
		"a pinned episode with the reasoning that led to a call of another one",
		6,
		0,
		[
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
	],
	[
		"calls of one millisecond with what left, whose first answer pi cut away",
		14,
		0,
		[
			{ type: "budget", budget: 3000 },
			{ type: "batch", blocks: [], ending: "well", steers: true },
			answer(),
			answer(),
			answer(),
			answer({ type: "text", size: 2000, flavour: 0 }),
			answer({ ...call, size: 100, fate: "twice" }, { ...mark, size: 1 }, { ...mark, size: 580 }),
			{ type: "compact", pick: 15, size: 1 },
			answer(),
			{ type: "batch", blocks: [], ending: "error", steers: false },
			{ type: "model", pick: 0 },
			{ type: "compact", pick: 0, size: 100 },
		],
	],
	[
		"two answers of one millisecond with the same sealed reasoning, the first of which left",
		0,
		0,
		[
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
	],
	[
		"an answer that failed before a line in a loop that begins with reasoning",
		0,
		0,
		[
			{ type: "budget", budget: 3000 },
			answer(thinking, { ...mark, size: 0 }),
			{ type: "batch", blocks: [{ type: "text", size: 100, flavour: 0 }], ending: "aborted", steers: false },
			answer({ ...mark, size: 1 }, { ...call, size: 512 }, { ...call, tool: 46, size: 56 }),
			{ type: "batch", blocks: [{ ...thinking, size: 740 }], ending: "error", steers: false },
			{ type: "pass" },
			answer(
				{ ...call, tool: 54, size: 708 },
				{ ...call, tool: 34, size: 37 },
				{ ...call, tool: 14, size: 105 },
			),
		],
	],
	[
		"a note in the middle of a loop, before an answer that begins with reasoning",
		0,
		0,
		[
			answer({ ...call, size: 100 }),
			{ type: "say", form: 43, size: 0, flavour: 0 },
			answer({ type: "redacted", size: 1, flavour: 0 }, { ...call, size: 1 }),
			{ type: "recall", pick: 0, isByModel: false },
			answer(),
			answer(),
			answer(thinking),
		],
	],
	[
		"what is kept from the model, before a line in a loop that begins with reasoning",
		0,
		0,
		[
			answer({ ...thinking, size: 1 }, { ...call, size: 1, fate: "fails" }),
			{ type: "say", form: 49, size: 1, flavour: 0 },
			answer({ ...mark, size: 0 }, { ...mark, size: 100 }, { ...call, size: 21 }),
			answer(),
			{ type: "say", form: 0, size: 100, flavour: 0 },
			answer(),
		],
	],
	[
		"an answer that only thinks, before a line in a loop that begins with reasoning",
		0,
		0,
		[
			answer(thinking, { ...mark, size: 2000 }),
			answer(thinking),
			answer({ ...mark, size: 100 }, { ...mark, size: 100 }),
			{ type: "switch", isOn: true },
			answer({ ...mark, size: 100 }),
			{ type: "batch", blocks: [{ ...nothing, size: 100 }], ending: "aborted", steers: false },
		],
	],
	[
		"an answer whose results a crash took, before one that uses its call's id again, in a loop",
		0,
		0,
		[
			answer({ ...thinking, size: 2000 }, ...Array(3).fill({ ...call, size: 1 })),
			answer(),
			{ type: "crash", lines: 5 },
			answer({ ...call, size: 1, fate: "fails", sameId: true }),
			{ type: "say", form: 0, size: 1, flavour: 0 },
			{ type: "say", form: 0, size: 100, flavour: 0 },
		],
	],
	[
		"a compaction that brings back what came before the line of the episode index",
		0,
		0,
		[
			answer({ type: "redacted", size: 100, flavour: 0 }),
			answer({ ...mark, size: 2000 }, { ...mark, size: 2000 }, { ...call, size: 100, fate: "fails" }),
			{ type: "compact", pick: 47, size: 1 },
			answer({ ...mark, size: 0 }),
			{ type: "say", form: 0, size: 1, flavour: 0 },
			{ type: "compact", pick: 0, size: 100 },
			{ type: "policy", pick: 0 },
		],
	],
	[
		"a move that leaves an answer without its results at the beginning of a loop",
		0,
		0,
		[
			answer({ type: "redacted", size: 1, flavour: 0 }, { ...call, size: 1 }),
			{ type: "move", pick: 22, hasSummary: false },
			answer({ ...mark, size: 1 }, { ...mark, size: 1 }),
			answer({ ...call, size: 100 }),
		],
	],
];

test.each(sessions)("%s keeps the rules", (_name, model, policy, operations) => {
	expect(runScript({ model, budget: 300, policy, operations }).operations).toBe(operations.length);
});
