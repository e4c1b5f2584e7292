import { countTokens as count, setMergeCacheSize } from "gpt-tokenizer/encoding/o200k_base";

/** Without a bound the tokenizer's merge cache holds every word it ever saw. */
setMergeCacheSize(5000);

/** Text such as `<|endoftext|>` is content here, never a control token. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** The tokenizer is quadratic in one unbroken run, so longer runs are counted in windows of this many UTF-16 units. */
const WINDOW = 512;

function isSpace(code: number): boolean {
	return code <= 32 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a);
}

function isLowSurrogate(code: number): boolean {
	return code >= 0xdc00 && code <= 0xdfff;
}

/** The text in pieces, none of which holds an unbroken run longer than the window. */
function cutRuns(text: string): readonly string[] {
	const pieces: string[] = [];
	let pieceStart = 0;
	let runStart = 0;
	let runIsSpace = isSpace(text.charCodeAt(0));
	for (let at = 1; at < text.length; at++) {
		const code = text.charCodeAt(at);
		const space = isSpace(code);
		if (space !== runIsSpace) {
			runStart = at;
			runIsSpace = space;
		} else if (at - runStart >= WINDOW && !isLowSurrogate(code)) {
			pieces.push(text.slice(pieceStart, at));
			pieceStart = at;
			runStart = at;
		}
	}
	pieces.push(text.slice(pieceStart));
	return pieces;
}

/** Tokens of a text in the o200k vocabulary; runs of over 512 characters without a break count up to 1 % off. */
export function countTokens(text: string): number {
	if (text.length <= WINDOW) return count(text, AS_TEXT);
	return cutRuns(text).reduce((total, piece) => total + count(piece, AS_TEXT), 0);
}
