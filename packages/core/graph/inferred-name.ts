/**
 * Names of runs that nobody marked. They come from what a run begins with and not from its number: numbers begin
 * anew when the host compacts the session, and an old line would then name something else.
 */
import { fnv1a } from "../fnv1a.ts";
import type { ItemId } from "../transcript/transcript.ts";

const NAMES = 1_000_000;

/** A name for the run that begins with this item; the next free one where two runs would share it. */
export function nameRun(first: ItemId, isTaken: (name: string) => boolean): string {
	for (let number = fnv1a(first) % NAMES; ; number += 1) {
		const name = `unmarked-${number}`;
		if (!isTaken(name)) return name;
	}
}
