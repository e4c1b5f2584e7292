/** A review after the last change: reads the edited files again, or their difference. */

import type { Knowledge } from "./knowledge.ts";
import type { Style } from "./style.ts";
import { type Action, quote } from "./toolbox.ts";

/** The next calls; none if everything was reviewed. */
export function nextReview(known: Knowledge, style: Style): readonly Action[] {
	const changed = [...known.changed.keys()];
	if (changed.length === 0) return [];
	if (style.isSequential) {
		const action = difference(changed, 8);
		return isRun(known, action) ? [] : [action];
	}
	const unread = changed.filter((path) => known.views.get(path)?.changed ?? true);
	const reads = unread.map((path): Action => ({ type: "read", path }));
	return unread.length > 0 ? [...reads, difference(unread, 1)] : [];
}

const difference = (paths: readonly string[], context: number): Action => ({
	type: "run",
	command: `git diff -U${context} -- ${paths.map(quote).join(" ")}`,
});

function isRun({ exchanges, changed }: Knowledge, action: Action): boolean {
	const since = Math.max(-1, ...changed.values());
	return exchanges.some(
		({ call, message }) =>
			message > since && action.type === "run" && call.arguments.command === action.command,
	);
}
