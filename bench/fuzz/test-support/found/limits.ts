/** Scripts with budgets by component. */
import type { Operation } from "../../script.ts";
import { answer, call, type Found, mark, thinking } from "./blocks.ts";

const redacted = { type: "redacted", flavour: 0 } as const;
const aborted: Operation = {
	type: "batch",
	blocks: [
		{ ...thinking, size: 2_000 },
		{ ...mark, size: 1 },
		{ type: "text", size: 18, flavour: 0 },
		{ ...call, size: 2_000, fate: "late" },
	],
	ending: "aborted",
	steers: false,
};

export const limits: readonly Found[] = [
	{
		name: "a pass for the budget after which a component is still over its hard limit",
		budget: 426,
		outputs: 13,
		components: 1,
		operations: [
			aborted,
			answer(
				{ ...call, tool: 22, size: 749, flavour: 19 },
				{ ...redacted, size: 655 },
				{ ...redacted, size: 0 },
				{ ...mark, kind: "act", pick: 41, size: 57, flavour: 16 },
				{ ...call, tool: 14, size: 390, flavour: 20 },
			),
			{ type: "say", form: 61, size: 659, flavour: 1 },
			{ type: "undo" },
			answer(),
		],
	},
];
