/** Entries of extensions in pi's session file, as data that anyone may have touched. */
import { isRecord, type UnknownRecord } from "#basics";

/** An entry of a branch, of whatever type, with all that anyone looks at. */
export interface BranchEntry {
	readonly type: string;
	readonly id?: unknown;
	readonly timestamp?: unknown;
	readonly message?: unknown;
	readonly customType?: unknown;
	readonly data?: unknown;
	/** The text that a compaction leaves. */
	readonly summary?: unknown;
}

/** The data of the entries of one custom type, oldest first; data that is no object is left out. */
export function customData(branch: readonly BranchEntry[], wanted: string): readonly UnknownRecord[] {
	return branch.flatMap(({ type, customType, data }) =>
		type === "custom" && customType === wanted && isRecord(data) ? [data] : [],
	);
}
