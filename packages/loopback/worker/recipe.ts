/** What a kind of task amounts to: what to look for, what to change, and how to tell that it is done. */

import type { Inquiry, Knowledge } from "./knowledge.ts";
import type { Action } from "./toolbox.ts";

export interface Recipe extends Inquiry {
	/** Files that the prompt itself names. */
	readonly hints: readonly string[];
	/** What a person would write down on the way, beside the places: short facts that the rest of the task needs. */
	readonly findings?: (known: Knowledge) => readonly string[];
	readonly plan: (known: Knowledge) => Plan;
}

/** The next thing that the visible facts call for. */
export type Plan =
	/** The place is not known. */
	| { readonly type: "locate" }
	/** The place is known, and what stands there cannot be seen. */
	| { readonly type: "inspect"; readonly paths: readonly string[] }
	/** A command knows more. */
	| { readonly type: "consult"; readonly command: string }
	| { readonly type: "change"; readonly actions: readonly Action[] }
	/** As far as can be seen, everything is as it should be. */
	| { readonly type: "settled" };
