/** Scripts with compactions and moves in the session tree. */
import { answer, call, type Found, mark, thinking } from "./blocks.ts";

export const compactions: readonly Found[] = [
	{
		name: "a move from before a compaction to after it",
		operations: [
			{ type: "compact", pick: 0, size: 1 },
			answer(),
			{ type: "move", pick: 0, hasSummary: false },
			{ type: "move", pick: 10, hasSummary: false },
			{ type: "say", form: 0, size: 100, flavour: 0 },
		],
	},
	{
		name: "a compaction after a description that made its line longer",
		operations: [
			answer({ ...call, size: 100 }),
			{ type: "say", form: 7, size: 100, flavour: 0 },
			answer({ ...call, tool: 4, size: 0 }, { ...mark, size: 1 }),
			{ type: "describe", pick: 21 },
			{ type: "compact", pick: 0, size: 1 },
		],
	},
	{
		name: "a compaction that cuts into an episode whose failed call was evicted",
		policy: 1,
		operations: [
			answer({ ...mark, size: 1 }),
			answer({ ...call, size: 100, fate: "fails" }, { ...mark, size: 100 }),
			answer({ type: "text", size: 100, flavour: 0 }),
			{ type: "compact", pick: 62, size: 100 },
		],
	},
	{
		name: "calls that share their millisecond with evicted ones, after a compaction cut away the first answer",
		model: 14,
		operations: [
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
	},
	{
		name: "a compaction that brings back messages from before the episode index",
		operations: [
			answer({ type: "redacted", size: 100, flavour: 0 }),
			answer({ ...mark, size: 2000 }, { ...mark, size: 2000 }, { ...call, size: 100, fate: "fails" }),
			{ type: "compact", pick: 47, size: 1 },
			answer({ ...mark, size: 0 }),
			{ type: "say", form: 0, size: 1, flavour: 0 },
			{ type: "compact", pick: 0, size: 100 },
			{ type: "policy", pick: 0 },
		],
	},
	{
		name: "an open episode that is wholly evicted when pi compacts, and then grows",
		budget: 0,
		operations: [
			answer({ ...mark, size: 0 }),
			{ type: "say", form: 0, size: 1, flavour: 0 },
			answer({ ...call, size: 100 }),
			answer(),
			{ type: "compact", pick: 12, size: 100 },
			{ type: "batch", blocks: [{ ...mark, size: 100 }], ending: "error", steers: false },
			answer(),
			answer({ ...mark, size: 2000 }),
		],
	},
	{
		name: "a compaction that brings back messages from before the episode index, in the same episode",
		budget: 0,
		operations: [
			answer(thinking),
			{
				type: "batch",
				blocks: [
					{ ...call, size: 100 },
					{ ...mark, size: 100 },
					{ ...mark, size: 1 },
				],
				ending: "well",
				steers: true,
			},
			{ type: "compact", pick: 22, size: 100 },
			{ type: "batch", blocks: [{ ...mark, kind: "act", size: 0 }], ending: "error", steers: false },
			answer({ ...mark, size: 100 }),
			{ type: "clock", leap: 0 },
			{ type: "compact", pick: 0, size: 1 },
			answer({ ...call, size: 1 }),
			answer({ type: "text", size: 351, flavour: 9 }, { ...mark, pick: 19, size: 14, flavour: 6 }),
		],
	},
];
