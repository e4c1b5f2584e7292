/** Building blocks for the recorded scripts that once broke a rule. */
import type { Block, Operation, Script } from "../../script.ts";

/** A script; omitted fields are 0, except for the budget of 300 tokens. */
export interface Found extends Partial<Omit<Script, "operations">>, Pick<Script, "operations"> {
	readonly name: string;
}

export const call = {
	type: "call",
	tool: 0,
	flavour: 0,
	fate: "comes",
	sameId: false,
	hasImage: false,
} as const;
export const mark = { type: "mark", kind: "expl", pick: 0, flavour: 0, isWrong: false } as const;
export const thinking = { type: "thinking", size: 100, flavour: 0 } as const;
export const nothing = { type: "text", size: 0, flavour: 0 } as const;

export function answer(...blocks: Block[]): Operation {
	return { type: "batch", blocks, ending: "well", steers: false };
}
