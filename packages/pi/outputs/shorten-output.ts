/**
 * A large output as it is sent: its head, its tail, and of the rest the lines with errors or with names of the call. A
 * function of the output and its call alone, so that it is the same in every request, after a resume, and in a replay.
 */
import { type CountTokens, lineEndBefore, lineStartAfter, quote } from "#basics";
import { findFileNames, findIdentifiers } from "#core/transcript";

/** Shares of the limit: the head, the tail as much, and the lines between them. */
const END_SHARE = 0.4;
const LINES_SHARE = 0.2;
/** An output that is over its limit by less stays whole. */
const TOLERANCE = 1.1;
/** Characters of a line between head and tail that are kept. */
const MAX_LINE_LENGTH = 300;
/** Shorter names of files are in too many lines; in characters. */
const MIN_NAME_LENGTH = 6;
const MAX_NAMES = 40;

const ERROR = /error|exception|\b(?:fail(?:s|ed|ures?)?|panic(?:ked)?|fatal|traceback|assert\w*)\b/i;

/**
 * The text to send; the same text if it is within the limit in tokens. The `words` of a call are its arguments and what the
 * model said with it.
 */
export function shortenOutput(
	text: string,
	limit: number,
	call: Readonly<Record<"callId" | "words", string>>,
	count: CountTokens,
): string {
	// Texts with fewer characters than tokens are rare enough to pass.
	const tokens = text.length <= limit ? 0 : count(text);
	if (tokens <= TOLERANCE * limit) return text;
	const perToken = text.length / tokens;
	const end = Math.floor(END_SHARE * limit * perToken);
	const headEnd = lineEndBefore(text, end);
	const tailStart = lineStartAfter(text, text.length - end);
	const left = text.slice(headEnd, tailStart);
	const lines = tellingLines(left, call.words, LINES_SHARE * limit * perToken);
	const leftTokens = Math.round(left.length / perToken);
	const parts = [
		text.slice(0, headEnd).replace(/\n$/, ""),
		`[about ${leftTokens} tokens left out here; recall ${quote(call.callId)} gives the whole output]`,
		...(lines.length > 0
			? ["[of these, lines with errors or names of this call:]", ...lines, "[end of these lines]"]
			: []),
		text.slice(tailStart),
	];
	const short = parts.join("\n");
	return short.length < text.length ? short : text;
}

/** Lines that report an error or hold a name that the call holds, each once, up to so many characters. */
function tellingLines(text: string, words: string, most: number): readonly string[] {
	const names = namesOf(words);
	const lines = new Set<string>();
	let length = 0;
	for (const line of text.split("\n")) {
		if (!ERROR.test(line) && !names.some((name) => line.includes(name))) continue;
		const kept = line.length > MAX_LINE_LENGTH ? line.slice(0, lineEndBefore(line, MAX_LINE_LENGTH)) : line;
		if (lines.has(kept)) continue;
		length += kept.length + 1;
		if (length > most) break;
		lines.add(kept);
	}
	return [...lines];
}

function namesOf(words: string): readonly string[] {
	const names = new Set([...findIdentifiers(words), ...findFileNames(words)]);
	return [...names].filter((name) => name.length >= MIN_NAME_LENGTH).slice(0, MAX_NAMES);
}
