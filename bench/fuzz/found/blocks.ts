/** What the sessions that broke a rule once are written with. */
import type { Block, Operation, Script } from "../operations.ts";

/** A script, save for what is 0 in it, and a budget of 300 tokens. */
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

export function answer(...blocks: readonly Block[]): Operation {
	return { type: "batch", blocks, ending: "well", steers: false };
}
