/** Extracts: the most telling parts of a description in a given number of characters, word for word, without a model. */
import { cutText } from "./quote.ts";

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

/** The same for several lengths: the text is read once, for the first of them. */
export function createExtracts(text: string): (most: number) => string {
	let sentences: readonly string[] | undefined;
	let ranked: readonly Ranked[] | undefined;
	return (most) => {
		sentences ??= readSentences(text);
		const whole = sentences.join(" ");
		if (whole.length <= most) return whole;
		const [first = "", ...others] = sentences;
		ranked ??= rank(others);
		const chosen = choose(others, ranked, Math.max(OTHERS_SHARE * most, most - first.length - 1));
		const taken = chosen.reduce((sum, sentence) => sum + sentence.length + 1, 0);
		return [cutAtWord(first, most - taken), ...chosen].filter((part) => part !== "").join(" ");
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

/** The beginning of a text, up to the end of a word unless that would leave less than half. */
function cutAtWord(text: string, most: number): string {
	if (text.length <= most) return text;
	const start = cutText(text, most);
	const end = start.lastIndexOf(" ");
	const cut = end > most / 2 ? start.slice(0, end) : start;
	return cut.replace(/[\s,;:]+$/, "");
}
