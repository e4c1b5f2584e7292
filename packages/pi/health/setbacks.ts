/** Facts of a session that made its requests dearer than their tokens alone: what the cost line names where cwl cost more than what it is compared with. */
import type { BranchEntry } from "../custom-entries.ts";
import { readLogEntries, UNDO_ENTRY } from "../session/log-entries.ts";
import { readRequests } from "./branch-requests.ts";

/** Shorter requests are not cached; in tokens. */
const MIN_CACHED = 2_048;

export type Setbacks = ReturnType<typeof countSetbacks>;

/** Counts them on a branch, from its root. */
export function countSetbacks(branch: readonly BranchEntry[]) {
	const requests = [...readRequests(branch)].filter(({ input }) => input > 0);
	const isUncached = (cached: number, index: number) =>
		cached === 0 && (requests[index - 1]?.input ?? 0) >= MIN_CACHED;
	return {
		/** Requests while cwl was off. */
		offRequests: requests.filter(({ isOn }) => !isOn).length,
		/** Passes that were taken back, and all that were made. */
		undone: branch.filter(({ customType }) => customType === UNDO_ENTRY).length,
		passes: readLogEntries(branch).made,
		/** Requests of which the provider had nothing in its cache. */
		uncached: requests.filter(({ cached }, index) => isUncached(cached, index)).length,
	};
}
