/** Facts of a session that made its requests dearer than their tokens alone: what the cost line names where cwl cost more than doing nothing. */
import { fieldsOf } from "#basics";
import { answerTime } from "../codec/host-message.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { readLogEntries, UNDO_ENTRY } from "../session/log-entries.ts";

/** Shorter requests are not cached; in tokens. */
const MIN_CACHED = 2_048;

export type Setbacks = ReturnType<typeof countSetbacks>;

/** Counts them on a branch, from its root. */
export function countSetbacks(branch: readonly BranchEntry[]) {
	let isOn = true;
	let previous = 0;
	const counted = { offRequests: 0, undone: 0, uncached: 0, passes: 0 };
	for (const entry of branch) {
		const { steering, made } = readLogEntries([entry]);
		isOn = steering.enabled ?? isOn;
		counted.passes += made;
		if (entry.customType === UNDO_ENTRY) counted.undone += 1;
		if (answerTime(entry.message) === undefined) continue;
		const usage = fieldsOf(fieldsOf(entry.message).usage);
		const tokensOf = (kind: string) => Number(usage[kind]) || 0;
		const input = tokensOf("input") + tokensOf("cacheRead") + tokensOf("cacheWrite");
		if (input === 0) continue;
		if (!isOn) counted.offRequests += 1;
		if (previous >= MIN_CACHED && tokensOf("cacheRead") === 0) counted.uncached += 1;
		previous = input;
	}
	/** `offRequests`: sent while cwl was off. `undone`: passes taken back. `uncached`: requests of which the provider had nothing in its cache. */
	return counted;
}
