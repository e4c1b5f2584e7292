/** A set of characters as pairs of first and last code point. */
export type CodePoints = readonly (readonly [number, number])[];

const LAST = 0x10ffff;
const DIGIT: CodePoints = [[0x30, 0x39]];
const UPPER: CodePoints = [[0x41, 0x5a]];
const LOWER: CodePoints = [[0x61, 0x7a]];
const WORD: CodePoints = [...DIGIT, ...UPPER, [0x5f, 0x5f], ...LOWER];
/** No line feed: grep looks at one line at a time. */
const SPACE: CodePoints = [
	[0x09, 0x09],
	[0x0b, 0x0d],
	[0x20, 0x20],
];

/** `\d`, `\w` and `\s` mean ASCII, as in grep: what Unicode adds differs between engines and versions. */
export const ESCAPE_CLASSES: Readonly<Record<string, CodePoints>> = { d: DIGIT, w: WORD, s: SPACE };

/** Bracket expressions of POSIX, `[[:alpha:]]`, in the C locale. */
export const POSIX_CLASSES: Readonly<Record<string, CodePoints>> = {
	alnum: [...DIGIT, ...UPPER, ...LOWER],
	alpha: [...UPPER, ...LOWER],
	blank: [
		[0x09, 0x09],
		[0x20, 0x20],
	],
	digit: DIGIT,
	lower: LOWER,
	punct: [
		[0x21, 0x2f],
		[0x3a, 0x40],
		[0x5b, 0x60],
		[0x7b, 0x7e],
	],
	space: SPACE,
	upper: UPPER,
	word: WORD,
	xdigit: [...DIGIT, [0x41, 0x46], [0x61, 0x66]],
};

/**
 * Everything else, for `\W` inside brackets. The long s and the Kelvin sign stay out: folding case would take them
 * for `s` and `k`, and let the complement match what it excludes.
 */
export function complement(set: CodePoints): CodePoints {
	const taken = [...set, [0x0a, 0x0a], [0x17f, 0x17f], [0x212a, 0x212a], [0xd800, 0xdfff]] as const;
	const sorted = taken.toSorted((left, right) => left[0] - right[0]);
	const rest: [number, number][] = [];
	let next = 0;
	for (const [first, last] of sorted) {
		if (first > next) rest.push([next, first - 1]);
		next = Math.max(next, last + 1);
	}
	if (next <= LAST) rest.push([next, LAST]);
	return rest;
}

/** A class for JavaScript with the `u` flag. Bytes that are not UTF-8 stand as lone surrogates, and match nothing. */
export function writeJavaScriptClass(set: CodePoints, negated: boolean): string {
	const members = set.map(([first, last]) => writeRange(first, last, "\\u")).join("");
	return negated ? `[^${members}\\n\\uD800-\\uDFFF]` : `[${members}]`;
}

/** A class for Rust's regex crate. */
export function writeRustClass(set: CodePoints, negated: boolean): string {
	const members = set.map(([first, last]) => writeRange(first, last, "\\x")).join("");
	return negated ? `[^${members}\\n]` : `[${members}]`;
}

function writeRange(first: number, last: number, prefix: string): string {
	const write = (point: number) => `${prefix}{${point.toString(16)}}`;
	return first === last ? write(first) : `${write(first)}-${write(last)}`;
}
