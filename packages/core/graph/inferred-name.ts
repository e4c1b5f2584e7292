/**
 * Names of runs that nobody marked. They come from what a run begins with and not from its number: numbers begin
 * anew when the host compacts the session, and an old line would then name something else.
 */
import type { ItemId } from "../transcript/transcript.ts";

const NAMES = 1_000_000;

/** A name for the run that begins with this item; the next free one where two runs would share it. */
export function nameRun(first: ItemId, isTaken: (name: string) => boolean): string {
	for (let number = hash(first) % NAMES; ; number += 1) {
		const name = `unmarked-${number}`;
		if (!isTaken(name)) return name;
	}
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
	let value = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
	return value >>> 0;
}
