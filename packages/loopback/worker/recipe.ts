/** What a kind of task amounts to: what to look for, what to change, and how to tell that it is done. */

import type { Knowledge } from "./knowledge.ts";
import type { Action } from "./toolbox.ts";

export interface Recipe {
	/** The identifier or phrase that the task is about. */
	readonly subject: string;
	/** Patterns to search for at the start; each one is valid for grep and for JavaScript. */
	readonly searches: readonly string[];
	/** Files that the prompt itself names. */
	readonly hints: readonly string[];
	readonly check: Check;
	/** What a person would write down on the way, beside the places: short facts that the rest of the task needs. */
	readonly findings?: (known: Knowledge) => readonly string[];
	/** What to say at the end, from the output of the check. */
	readonly answer?: (output: string) => string | undefined;
	readonly plan: (known: Knowledge) => Plan;
}

/** A command that can be written from the prompt alone, so that it means the same whatever has been evicted. */
export interface Check {
	readonly command: string;
	readonly passes: (output: string) => boolean;
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
