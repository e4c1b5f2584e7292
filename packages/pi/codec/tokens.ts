/** Token counting with gpt-tokenizer's o200k encoding, safe for any input. */
import { type CountTokens, fnv1a } from "#basics";

/** Tokens that the wire adds around each item: role, separators, block types. */
export const ITEM_FRAMING = 4;

/** Tokens that providers wrap around a tool definition. */
export const TOOL_FRAMING = 10;

/** Tokens of an image: the middle of what providers charge for a screenshot. */
export const IMAGE_TOKENS = 1_200;

/** Unbroken runs longer than this are counted in pieces: byte-pair merging is quadratic in one run. */
const RUN_LIMIT = 512;
const MERGE_CACHE_ENTRIES = 5_000;

/** A longer text is estimated from samples, so that no text holds up a request for long; in characters. */
export const MAX_COUNTED = 64 * 1024;
const SAMPLES = 64;
const SAMPLE_LENGTH = MAX_COUNTED / SAMPLES;

/** Shorter texts are counted when they are asked for; in characters. */
const LONG = 8 * 1024;

let loading: Promise<CountTokens> | undefined;

/**
 * Load the encoding on first use; it takes about 0.3 s, so nothing imports it at start-up. A text longer than
 * `MAX_COUNTED` is estimated.
 * Special tokens such as `<|endoftext|>` count as ordinary text.
 */
export function loadTokenCounter(): Promise<CountTokens> {
	loading ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens, setMergeCacheSize }) => {
		// The default cache keeps slices of every text that was ever counted.
		setMergeCacheSize(MERGE_CACHE_ENTRIES);
		const options = { disallowedSpecial: new Set<string>() };
		return (text) => {
			let tokens = 0;
			for (const part of countedParts(text)) {
				for (const piece of splitRuns(part)) tokens += countTokens(piece, options);
			}
			return Math.ceil(tokens * Math.max(1, text.length / MAX_COUNTED));
		};
	});
	return loading;
}

/** Counts each text once, since branches share most of their messages. Texts are known by a hash: none of them is held. */
export function countOnce(count: CountTokens): CountTokens {
	const known = new Map<string, number>();
	return (text) => {
		const name = `${text.length} ${fnv1a(text)}`;
		const tokens = known.get(name) ?? count(text);
		known.set(name, tokens);
		return tokens;
	};
}

/**
 * Lets a counter that remembers count long texts before they are asked for, and other events through after each of them:
 * random letters and digits take some 10 microseconds a token.
 */
export async function countAhead(texts: readonly string[], count: CountTokens): Promise<void> {
	for (const text of texts) {
		if (text.length < LONG) continue;
		count(text);
		await new Promise((resolve) => setImmediate(resolve));
	}
}

/** The parts of a text that are counted: all of it, or samples spread evenly from its beginning to its end. */
export function countedParts(text: string): readonly string[] {
	if (text.length <= MAX_COUNTED) return [text];
	const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
	const starts = Array.from({ length: SAMPLES }, (_, sample) => Math.floor(sample * step));
	return starts.map((start) => text.slice(start, start + SAMPLE_LENGTH));
}

/** A run of spaces or of anything else; the tokenizer takes slashes and the newlines around them for one word. */
const LONG_RUN = new RegExp(`((?<!\\S)\\S{${RUN_LIMIT},}|(?<!\\s)\\s[\\s/]{${RUN_LIMIT},}\\s)`);
const PIECE = new RegExp(`[^]{1,${RUN_LIMIT}}[\\udc00-\\udfff]?`, "g");

/**
 * Cuts long runs, so that the tokenizer's pattern finds no word in a piece, of spaces or of anything else, that is longer than
 * three times the limit. A text without long runs comes back whole.
 */
export function splitRuns(text: string): readonly string[] {
	return text.split(LONG_RUN).flatMap((part, index) => (index % 2 === 1 ? (part.match(PIECE) ?? []) : part));
}
