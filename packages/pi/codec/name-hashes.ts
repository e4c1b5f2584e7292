/** Hashes of the names in a text, by which core tells whether an output says anything new. */
import { FNV1A_START, fnv1aStep } from "#core";

/** Shorter words are in every text. In characters. */
const MIN_NAME_LENGTH = 6;

/**
 * The names that a text shows, each once: words of six characters and more with a digit, an underscore, or a capital
 * after a small letter, so that no plain word is one. Linear in the length of the text.
 */
export function hashNames(text: string): readonly number[] {
	const names = new Set<number>();
	let hash = FNV1A_START;
	let length = 0;
	let isTelling = false;
	let hasLetter = false;
	let before = 0;
	// One step beyond the end closes the last word.
	for (let index = 0; index <= text.length; index += 1) {
		const code = index < text.length ? text.charCodeAt(index) : 0;
		if (isWordCode(code)) {
			hash = fnv1aStep(hash, code);
			length += 1;
			hasLetter ||= isSmall(code) || isCapital(code);
			isTelling ||= isDigit(code) || code === UNDERSCORE || (isCapital(code) && isSmall(before));
		} else if (length > 0) {
			if (length >= MIN_NAME_LENGTH && isTelling && hasLetter) names.add(hash >>> 2);
			hash = FNV1A_START;
			length = 0;
			isTelling = false;
			hasLetter = false;
		}
		before = code;
	}
	return [...names];
}

const UNDERSCORE = 95;

function isWordCode(code: number): boolean {
	return isSmall(code) || isCapital(code) || isDigit(code) || code === UNDERSCORE || code === 36;
}

function isSmall(code: number): boolean {
	return code >= 97 && code <= 122;
}

function isCapital(code: number): boolean {
	return code >= 65 && code <= 90;
}

function isDigit(code: number): boolean {
	return code >= 48 && code <= 57;
}
