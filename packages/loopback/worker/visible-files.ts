/** The visible file contents: the results of reads, with the visible edits since then applied. */

import type { Exchange } from "./exchanges.ts";
import { recalledFile } from "./recalled-files.ts";
import { occursOnce } from "./text-change.ts";
import { type Edit, readAction } from "./toolbox.ts";

export interface FileView {
	readonly text: string;
	/** Index of the message that read or changed it last. */
	readonly message: number;
	/** True if the last of these was a change, so that its outcome was not read yet. */
	readonly changed: boolean;
	/** The calls that this view is built from. */
	readonly callIds: readonly string[];
}

/**
 * Builds one view per file from the exchanges. A failed edit shows that the view was wrong, and drops it. A view may
 * be stale, because an evicted edit is unknown; searches and checks reveal that.
 */
export function viewFiles(exchanges: readonly Exchange[]): ReadonlyMap<string, FileView> {
	const views = new Map<string, FileView>();
	for (const exchange of exchanges) {
		const { call, message, isError } = exchange;
		const recalled = call.name === "recall" ? recalledFile(exchange.text) : undefined;
		if (recalled) {
			views.set(recalled.path, { text: recalled.text, message, changed: false, callIds: [call.id] });
		}
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

/** The text after the edits; undefined if one of them does not fit the visible text. */
function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
	if (edits.length === 0 || !edits.every((edit) => occursOnce(text, edit.oldText))) return undefined;
	return edits.reduce((current, edit) => current.replace(edit.oldText, () => edit.newText), text);
}
