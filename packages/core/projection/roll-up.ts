/**
 * Lines of the episode index: each replaces a group of evicted episodes and carries extracts of their descriptions.
 * Extracts are taken from the descriptions themselves, never from an earlier extract, so that nothing is summarized twice.
 */
import { cutText, quote, sum } from "#basics";
import { MAX_DESCRIPTION } from "../annotation/delimiter.ts";
import type { Episode } from "../graph/graph.ts";
import { sumTokens } from "../transcript/transcript.ts";
import { countFiles, filesText, kilo, quotedName } from "./episode-lines.ts";

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
	let from = low;
	let to = high;
	while (from < to) {
		const middle = Math.ceil((from + to) / 2);
		if (passes(middle)) from = middle;
		else to = middle - 1;
	}
	return from;
}

/** Returns the line of a group with extracts of `length` characters for its `newest` episodes. What all lines share is made once. */
function createLine(episodes: readonly IndexedEpisode[]): (length: number, newest: number) => string {
	const tokens = sumTokens(episodes);
	const files = filesText(episodes.map(({ items }) => countFiles(items)));
	const head = `[${episodes.length} episodes, evicted ${kilo(tokens)}${files}; recall by name or file`;
	const isLarge = episodes.length > MAX_NAMES;
	const names = (isLarge ? [episodes[0], episodes.at(-1)] : episodes).flatMap((episode) =>
		episode ? quotedName(episode.name) : [],
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

const DOTS = " ...";
/** The share of the room that parts after the first may take, so that the subject keeps a place. */
const OTHERS_SHARE = 0.7;
/** A word with a digit, path, dot, underscore or inner capital: what an agent would otherwise search for again. */
const TELLING = /\d|[\w)][/_.:][\w(]|[a-z][A-Z]|`/;

/**
 * The beginning of a text and those of its later sentences that name most files, identifiers and numbers for their
 * length, in their order and on one line, in at most `most` characters.
 */
export function extract(text: string, most: number): string {
	return createExtracts(text)(most);
}

/** Extracts for several lengths: the text is read once. */
function createExtracts(text: string): (most: number) => string {
	const sentences = readSentences(text);
	const whole = sentences.join(" ");
	const [first = "", ...others] = sentences;
	const ranked = rank(others);
	return (most) => {
		if (whole.length <= most) return whole;
		const chosen = choose(others, ranked, Math.max(OTHERS_SHARE * most, most - first.length - 1));
		const taken = sum(chosen, ({ length }) => length + 1);
		return [beginningOf(first, most - taken, chosen.length > 0), ...chosen]
			.filter((part) => part !== "")
			.join(" ");
	};
}

/** The place of a sentence in its text, and its length with the space before it. */
interface Ranked {
	readonly index: number;
	readonly length: number;
}

function readSentences(text: string): readonly string[] {
	return text
		.trim()
		.split(/(?<=[.;!?])\s+|\n+/)
		.map((sentence) => sentence.trim().replace(/\s+/g, " "))
		.filter((sentence) => sentence !== "");
}

/** The sentences that tell anything, the densest first. */
function rank(sentences: readonly string[]): readonly Ranked[] {
	return sentences
		.map((sentence, index) => ({ index, length: sentence.length + 1, density: densityOf(sentence) }))
		.filter(({ density }) => density > 0)
		.toSorted((a, b) => b.density - a.density || a.index - b.index);
}

/** The first of the ranked sentences that fit, in the order of the text. */
function choose(sentences: readonly string[], ranked: readonly Ranked[], most: number): readonly string[] {
	const chosen: number[] = [];
	let left = most;
	for (const { index, length } of ranked) {
		if (length > left) continue;
		chosen.push(index);
		left -= length;
	}
	return chosen.toSorted((a, b) => a - b).flatMap((index) => sentences[index] ?? []);
}

/** Telling words for each character. */
function densityOf(sentence: string): number {
	return sentence.split(" ").filter((word) => TELLING.test(word)).length / sentence.length;
}

/** The first sentence in at most `most` characters. Dots tell a beginning from the sentence that follows it. */
function beginningOf(sentence: string, most: number, isFollowed: boolean): string {
	if (sentence.length <= most || !isFollowed) return cutAtWord(sentence, most);
	const start = cutAtWord(sentence, Math.max(0, most - DOTS.length));
	return start === "" ? "" : start + DOTS;
}

/** The beginning of a text, up to the end of a word unless that would leave less than half. */
function cutAtWord(text: string, most: number): string {
	if (text.length <= most) return text;
	const start = cutText(text, most);
	const end = start.lastIndexOf(" ");
	const cut = end > most / 2 ? start.slice(0, end) : start;
	return cut.replace(/[\s,;:]+$/, "");
}
