/** Counts the calls of an arm that fetch content, and those that fetch it again. */
import type { NewCall } from "#testing/worker";
import type { CallCounts } from "../arms.ts";

const LOOKS = new Set(["read", "grep", "glob"]);
const CHANGES = new Set(["edit", "write"]);
const NONE: CallCounts = { reads: 0, rereads: 0, recalls: 0 };

export type CallMeter = ReturnType<typeof createCallMeter>;

/** A read is stale after a change of its file, a search after any change. Commands do not count, because their output may vary. */
export function createCallMeter() {
	/** The number of changes before the last read or search, by call. */
	const looks = new Map<string, number>();
	const changesOf = new Map<string, number>();
	let changes = 0;
	let counts = NONE;

	/** Returns true if the call repeats a look at unchanged content. */
	function isRepeated({ name, arguments: input }: NewCall): boolean {
		const path = String(input.path);
		if (CHANGES.has(name)) changesOf.set(path, ++changes);
		if (!LOOKS.has(name)) return false;
		const key = `${name} ${JSON.stringify(input)}`;
		const before = looks.get(key) ?? -1;
		looks.set(key, changes);
		return before >= (name === "read" ? (changesOf.get(path) ?? 0) : changes);
	}

	return {
		note(call: NewCall) {
			counts = {
				reads: counts.reads + Number(call.name === "read"),
				rereads: counts.rereads + Number(isRepeated(call)),
				recalls: counts.recalls + Number(call.name === "recall"),
			};
		},
		/** The counts since they were taken last. */
		take(): CallCounts {
			const taken = counts;
			counts = NONE;
			return taken;
		},
	};
}
