/**
 * Lines of the episode index: each stands for a group of evicted episodes and carries extracts of their descriptions.
 * Extracts are taken from the descriptions themselves, never from an earlier extract, so that nothing is summarized twice.
 */
import { MAX_DESCRIPTION } from "../annotation/delimiter.ts";
import type { Episode } from "../graph/graph.ts";
import { createExtracts } from "./extract.ts";
import { countFiles, filesText, kilo, nameText } from "./markers.ts";
import { quote } from "./quote.ts";

export type IndexedEpisode = Pick<Episode, "name" | "tokens" | "items" | "description">;

/** The largest line of the index, in tokens, and in characters. */
const MAX_LINE = { tokens: 3_000, characters: 16_000 };
/** Groups up to this size name each of their episodes. */
const MAX_NAMES = 8;
/** A shorter extract says less than it costs, in characters: fewer episodes have one then. */
const MIN_EXTRACT = 80;

/**
 * The line of a group, oldest first, with as much of their descriptions as fits into `room` tokens: extracts of one length for all,
 * and of the newest only where there is less room than that.
 */
export function rollUpText(
	episodes: readonly IndexedEpisode[],
	count: (text: string) => number,
	room: number,
): string {
	const most = Math.min(room, MAX_LINE.tokens);
	const fits = (text: string) => text.length <= MAX_LINE.characters && count(text) <= most;
	const lineWith = createLine(episodes);
	const all = episodes.length;
	const isRoomForAll = fits(lineWith(MIN_EXTRACT, all));
	if (isRoomForAll) {
		const length = largest(MIN_EXTRACT, MAX_DESCRIPTION, (each) => fits(lineWith(each, all)));
		return lineWith(length, all);
	}
	const newest = largest(0, all, (each) => fits(lineWith(MIN_EXTRACT, each)));
	return lineWith(MIN_EXTRACT, newest);
}

/** The largest number of a range that passes, where each below it passes; `low` counts as passing. */
function largest(low: number, high: number, passes: (value: number) => boolean): number {
	let [from, to] = [low, high];
	while (from < to) {
		const middle = Math.ceil((from + to) / 2);
		if (passes(middle)) from = middle;
		else to = middle - 1;
	}
	return from;
}

/** Returns the line of a group with extracts of `length` characters for its `newest` episodes. What all lines share is made once. */
function createLine(episodes: readonly IndexedEpisode[]): (length: number, newest: number) => string {
	const tokens = episodes.reduce((sum, episode) => sum + episode.tokens, 0);
	const files = filesText(episodes.map(({ items }) => countFiles(items)));
	const head = `[${episodes.length} episodes, evicted ${kilo(tokens)}${files}; recall by name or file`;
	const isLarge = episodes.length > MAX_NAMES;
	const names = (isLarge ? [episodes[0], episodes.at(-1)] : episodes).flatMap((episode) =>
		episode ? nameText(episode.name) : [],
	);
	const extractsWith = createGroupExtracts(episodes);
	return (length, newest) => {
		const extracts = extractsWith(length, newest);
		const said = extracts.filter((text) => text !== "");
		if (said.length === 0) return `${head}: ${names.join(isLarge ? " to " : ", ")}]`;
		// The extracts of a large group say what to recall by; its names would take half of the room.
		if (isLarge) return `${head}: ${names.join(" to ")}] ${said.join(", ")}`;
		const entries = names.map((name, index) => (extracts[index] ? `${name}: ${extracts[index]}` : name));
		return `${head}] ${entries.join(", ")}`;
	};
}

/** Extracts in quotes; "" for an episode without one, or whose extract an earlier one says already. */
function createGroupExtracts(
	episodes: readonly IndexedEpisode[],
): (length: number, newest: number) => readonly string[] {
	const all = episodes.map(({ description = "" }) => createExtracts(description));
	return (length, newest) => {
		const said = new Set<string>();
		return episodes.map(({ description = "" }, index) => {
			if (length === 0 || index < episodes.length - newest) return "";
			const text = all[index]?.(length) ?? "";
			if (text === "" || said.has(text)) return "";
			said.add(text);
			return text.length < description.trim().length ? `${quote(text)}...` : quote(text);
		});
	};
}
