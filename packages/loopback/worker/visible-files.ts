/** The file contents that can still be seen: what was read, with the visible edits since then applied. */

import type { Exchange } from "./exchanges.ts";
import { occursOnce } from "./text-change.ts";
import { type Edit, readAction } from "./toolbox.ts";

export interface FileView {
	readonly text: string;
	/** Index of the message that last read or changed it. */
	readonly message: number;
	/** Did the last of these change it, so that nobody has looked at the outcome yet? */
	readonly changed: boolean;
	/** The calls that this view rests on. */
	readonly callIds: readonly string[];
}

/**
 * Fold the exchanges into one view a file. A failed edit shows that the view was wrong, and drops it;
 * an edit whose call is gone cannot be known, so a view may be stale: searches and checks tell.
 */
export function viewFiles(exchanges: readonly Exchange[]): ReadonlyMap<string, FileView> {
	const views = new Map<string, FileView>();
	for (const exchange of exchanges) {
		const { call, message, isError } = exchange;
		const action = readAction(call);
		if (!action || action.type === "search" || action.type === "skim" || action.type === "run") continue;
		const before = views.get(action.path);
		views.delete(action.path);
		if (isError) continue;
		const text = outcome(action, exchange.text, before);
		if (text === undefined) continue;
		const earlier = action.type === "change" ? (before?.callIds ?? []) : [];
		const changed = action.type !== "read";
		views.set(action.path, { text, message, changed, callIds: [...earlier, call.id] });
	}
	return views;
}

type FileAction = Exclude<
	ReturnType<typeof readAction>,
	undefined | { readonly type: "search" | "skim" | "run" }
>;

function outcome(action: FileAction, result: string, before: FileView | undefined): string | undefined {
	if (action.type === "read") return result.replace(/\n\n\[[^\n]*\boffset=\d+[^\n]*\]$/, "");
	if (action.type === "write") return action.content;
	return before && applyEdits(before.text, action.edits);
}

/** The text after the edits, or undefined when one of them does not fit what is visible. */
function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
	if (edits.length === 0 || !edits.every((edit) => occursOnce(text, edit.oldText))) return undefined;
	return edits.reduce((current, edit) => current.replace(edit.oldText, () => edit.newText), text);
}
