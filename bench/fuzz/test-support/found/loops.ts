/** Scripts about the first message of the tool loop in progress. */
import { answer, call, type Found, mark, nothing, thinking } from "./blocks.ts";

export const loops: readonly Found[] = [
	{
		name: "a failed answer before a marker line in a loop that begins with reasoning",
		operations: [
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
	},
	{
		name: "a note in the middle of a loop, before an answer that begins with reasoning",
		operations: [
			answer({ ...call, size: 100 }),
			{ type: "say", form: 43, size: 0, flavour: 0 },
			answer({ type: "redacted", size: 1, flavour: 0 }, { ...call, size: 1 }),
			{ type: "recall", pick: 0, isByModel: false },
			answer(),
			answer(),
			answer(thinking),
		],
	},
	{
		name: "hidden shell output before a marker line in a loop that begins with reasoning",
		operations: [
			answer({ ...thinking, size: 1 }, { ...call, size: 1, fate: "fails" }),
			{ type: "say", form: 49, size: 1, flavour: 0 },
			answer({ ...mark, size: 0 }, { ...mark, size: 100 }, { ...call, size: 21 }),
			answer(),
			{ type: "say", form: 0, size: 100, flavour: 0 },
			answer(),
		],
	},
	{
		name: "an answer of thinking alone before a marker line in a loop that begins with reasoning",
		operations: [
			answer(thinking, { ...mark, size: 2000 }),
			answer(thinking),
			answer({ ...mark, size: 100 }, { ...mark, size: 100 }),
			{ type: "switch", isOn: true },
			answer({ ...mark, size: 100 }),
			{ type: "batch", blocks: [{ ...nothing, size: 100 }], ending: "aborted", steers: false },
		],
	},
	{
		name: "an answer whose results a crash removed, before one that reuses its call id",
		operations: [
			answer({ ...thinking, size: 2000 }, ...Array(3).fill({ ...call, size: 1 })),
			answer(),
			{ type: "crash", lines: 5 },
			answer({ ...call, size: 1, fate: "fails", sameId: true }),
			{ type: "say", form: 0, size: 1, flavour: 0 },
			{ type: "say", form: 0, size: 100, flavour: 0 },
		],
	},
	{
		name: "a move that leaves an answer without its results at the beginning of a loop",
		operations: [
			answer({ type: "redacted", size: 1, flavour: 0 }, { ...call, size: 1 }),
			{ type: "move", pick: 22, hasSummary: false },
			answer({ ...mark, size: 1 }, { ...mark, size: 1 }),
			answer({ ...call, size: 100 }),
		],
	},
	{
		name: "a loop whose first answers failed or are empty",
		operations: [
			{ type: "batch", blocks: [], ending: "error", steers: false },
			{ type: "batch", blocks: [{ ...mark, size: 1 }], ending: "aborted", steers: false },
			answer(),
			{ type: "say", form: 58, size: 100, flavour: 0 },
			{ type: "batch", blocks: [], ending: "error", steers: false },
			answer({ ...thinking, size: 2000 }, { ...call, size: 0, fate: "fails" }),
			answer(),
		],
	},
];
