/** The recipe of a kind of task: the searches, the changes, and the check that it is done. */

import type { Inquiry, Knowledge } from "./knowledge.ts";
import type { Action } from "./toolbox.ts";

export interface Recipe extends Inquiry {
	/** Files that the prompt itself names. */
	readonly hints: readonly string[];
	/** Short facts that the rest of the task needs, besides the places. */
	readonly findings?: (known: Knowledge) => readonly string[];
	/** True for a task without a survey before the change and a review after it. */
	readonly isPlain?: boolean;
	readonly plan: (known: Knowledge) => Plan;
}

/** The next step that the visible facts call for. */
export type Plan =
	/** The place is not known. */
	| { readonly type: "locate" }
	/** The place is known, but its content is not visible. */
	| { readonly type: "inspect"; readonly paths: readonly string[] }
	/** A command has to tell more. */
	| { readonly type: "consult"; readonly command: string }
	/** The session showed it once: a recall may give it back. */
	| { readonly type: "recall"; readonly query: string; readonly page: number }
	/** Nothing within reach tells it. */
	| { readonly type: "unknown"; readonly reason: string }
	| { readonly type: "change"; readonly actions: readonly Action[] }
	/** As far as is visible, everything is right. */
	| { readonly type: "settled" };
