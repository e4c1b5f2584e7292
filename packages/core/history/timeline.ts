/** How long ago things happened: in tokens of the whole session, evicted ones included, and in user turns. */
import type { History } from "./history.ts";

/** All times in tokens except `turns`. */
export interface Timeline {
	/** Since the end of a message. */
	age(message: number): number;
	/** User turns since a message. */
	turns(message: number): number;
	/** Since a call last named one of these files; the length of the session if none did. */
	sinceNamed(paths: readonly string[]): number;
	/** Since a call last edited one of these files; the length of the session if none did. */
	sinceEdited(paths: readonly string[]): number;
}

/** The times as of the last message. */
export function timelineOf({ ends, turns, contents }: History): Timeline {
	const now = ends.at(-1) ?? 0;
	const turnsNow = turns.at(-1) ?? 0;
	const { namedAt, editedAt } = contents();
	return {
		age: (message) => now - (ends[message] ?? 0),
		turns: (message) => turnsNow - (turns[message] ?? 0),
		sinceNamed: (paths) => now - latestOf(namedAt, paths),
		sinceEdited: (paths) => now - latestOf(editedAt, paths),
	};
}

function latestOf(times: ReadonlyMap<string, number>, paths: readonly string[]): number {
	return paths.reduce((latest, path) => Math.max(latest, times.get(path) ?? 0), 0);
}
