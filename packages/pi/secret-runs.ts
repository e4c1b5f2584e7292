/** Finds keys and web tokens in one pass over a text: as regular expressions they look at a long run of words once for each word. */

/** A string, or anything else that is read character by character. */
export type Characters = Pick<string, "length" | "charCodeAt">;

/** The characters from `start` up to `end`. */
export interface Run {
	readonly start: number;
	readonly end: number;
}

type IsCharacter = (code: number) => boolean;

const isDigit: IsCharacter = (code) => code >= 48 && code <= 57;
const isLetter: IsCharacter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isWord: IsCharacter = (code) => isLetter(code) || isDigit(code) || code === 95;
const [PLUS, DASH, DOT, SLASH, EQUALS] = [43, 45, 46, 47, 61];
const isWordOrDash: IsCharacter = (code) => isWord(code) || code === DASH;
const isKey: IsCharacter = (code) => isWordOrDash(code) || code === PLUS;
const isPath: IsCharacter = (code) => isKey(code) || code === SLASH;

/** The runs of such characters, each as long as it can be. */
function findRuns(text: Characters, isOne: IsCharacter, { start, end } = wholeOf(text)): readonly Run[] {
	const runs: Run[] = [];
	for (let at = start; at < end; at += 1) {
		const from = at;
		while (at < end && isOne(text.charCodeAt(at))) at += 1;
		if (at > from) runs.push({ start: from, end: at });
	}
	return runs;
}

const wholeOf = ({ length }: Characters): Run => ({ start: 0, end: length });

const MIN_KEY = 32;

/** Letters and digits without an end are a key more often than a word: so many, with both in what begins there. */
export function findKeys(text: Characters): readonly Run[] {
	return findRuns(text, isPath).flatMap((path) => {
		let [digit, letter] = [-1, -1];
		for (let at = path.start; at < path.end; at += 1) {
			const code = text.charCodeAt(at);
			if (isDigit(code)) digit = at;
			if (isLetter(code)) letter = at;
		}
		return findRuns(text, isKey, path).flatMap(({ start: from, end: to }) => {
			let [start, end] = [from, to];
			while (start < to && !isWord(text.charCodeAt(start))) start += 1;
			if (to - start < MIN_KEY || start > Math.min(digit, letter)) return [];
			while (end < to + 2 && text.charCodeAt(end) === EQUALS) end += 1;
			return [{ start, end }];
		});
	});
}

const MIN_PART = 8;

/** JSON web tokens: `eyJ`, and three parts with dots between them; the last may be empty. */
export function findWebTokens(text: Characters): readonly Run[] {
	const parts = findRuns(text, isWordOrDash);
	const isDotAfter = ({ end }: Run) => text.charCodeAt(end) === DOT;
	return parts.flatMap((head, index) => {
		const body = parts[index + 1];
		if (!body || body.start !== head.end + 1 || body.end - body.start < MIN_PART) return [];
		if (!isDotAfter(head) || !isDotAfter(body)) return [];
		let start = head.start;
		while (start + 3 + MIN_PART <= head.end && !isHead(text, start)) start += 1;
		if (start + 3 + MIN_PART > head.end) return [];
		const last = parts[index + 2];
		return [{ start, end: last?.start === body.end + 1 ? last.end : body.end + 1 }];
	});
}

/** `eyJ` at the beginning of a word. */
function isHead(text: Characters, at: number): boolean {
	if (isWord(text.charCodeAt(at - 1))) return false;
	return [101, 121, 74].every((code, index) => text.charCodeAt(at + index) === code);
}

/** Puts `[token]` in the place of the runs, which are in their order and may overlap. */
export function replaceRuns(text: string, runs: readonly Run[]): string {
	let [shown, end] = ["", 0];
	for (const run of runs) {
		if (run.start >= end) shown += `${text.slice(end, run.start)}[token]`;
		end = Math.max(end, run.end);
	}
	return shown + text.slice(end);
}
