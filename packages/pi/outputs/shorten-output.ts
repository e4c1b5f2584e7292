/**
 * A large output as it is sent: its head, its tail, and of the rest the lines with errors or with names of the call. A
 * function of the output and its call alone, so that it is the same in every request, after a resume, and in a replay.
 */
import { findFileNames, findIdentifiers, quote } from "#core/transcript";
import { lineEndBefore, lineStartAfter } from "../codec/cut-points.ts";
import type { CountTokens } from "../codec/tokens.ts";

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

interface OutputCall {
	readonly callId: string;
	/** Its arguments and what the model said with it. */
	readonly words: string;
}

/** The text to send; the same text if it has no noise and is within the limit in tokens. */
export function shortenOutput(text: string, limit: number, call: OutputCall, count: CountTokens): string {
	const clean = removeNoise(text);
	// Texts with fewer characters than tokens are rare enough to pass.
	const tokens = clean.length <= limit ? 0 : count(clean);
	if (tokens <= TOLERANCE * limit) return clean;
	const perToken = clean.length / tokens;
	const end = Math.floor(END_SHARE * limit * perToken);
	const headEnd = lineEndBefore(clean, end);
	const tailStart = lineStartAfter(clean, clean.length - end);
	const left = clean.slice(headEnd, tailStart);
	const lines = tellingLines(left, call.words, LINES_SHARE * limit * perToken);
	const leftTokens = Math.round(left.length / perToken);
	const parts = [
		clean.slice(0, headEnd).replace(/\n$/, ""),
		`[about ${leftTokens} tokens left out here; recall ${quote(call.callId)} gives the whole output]`,
		...(lines.length > 0
			? ["[of these, lines with errors or names of this call:]", ...lines, "[end of these lines]"]
			: []),
		clean.slice(tailStart),
	];
	const short = parts.join("\n");
	return short.length < clean.length ? short : clean;
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that terminals interpret.
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** From so many equal lines on, one of them and a count is shorter. */
const MIN_REPEATS = 3;
/** A share that is done, next to a bar or a count of steps: other figures may be what was asked for. */
const PROGRESS = /\d\s?%/;
const BAR = /[#=>█▓▒░━╸╺·.-]{3,}|\(\d+\/\d+\)/;

/** The text without noise; the same text if it has none. Linear in its length. */
export function removeNoise(text: string): string {
	const plain = text.includes("\u001b") ? text.replace(ANSI, "") : text;
	const lines = plain.split("\n").map(lastDrawn);
	const kept: string[] = [];
	for (let start = 0; start < lines.length; ) {
		const end = endOfRun(lines, start);
		kept.push(...shortenRun(lines.slice(start, end)));
		start = end;
	}
	return kept.join("\n");
}

/** A progress bar draws over its line again and again; only what it drew last is left on a screen. */
function lastDrawn(line: string): string {
	const at = line.replace(/\r+$/, "").lastIndexOf("\r");
	return line.slice(at + 1);
}

/** The end of the run of lines that say the same as the one at `start`, or show the same progress. */
function endOfRun(lines: readonly string[], start: number): number {
	const shape = shapeOf(lines[start] ?? "");
	let end = start + 1;
	while (end < lines.length && shapeOf(lines[end] ?? "") === shape) end += 1;
	return end;
}

/** Lines of progress are compared without their figures and bars. */
function shapeOf(line: string): string {
	return PROGRESS.test(line) && BAR.test(line) ? line.replace(/[\d.,:]+|[#=>█▓▒░━╸╺·-]+|\s+/g, "") : line;
}

/** Of equal lines the first and their number, of progress the last; blank lines have no number. All of them if that is no longer. */
function shortenRun(run: readonly string[]): readonly string[] {
	const [first = ""] = run;
	if (run.length < MIN_REPEATS) return run;
	if (first.trim() === "") return [first];
	const last = run.at(-1) ?? first;
	const short =
		last === first
			? [first, `[the line above ${run.length - 1} times more]`]
			: [`[${run.length - 1} lines of progress before this one]`, last];
	return short.join("").length < run.join("").length ? short : run;
}
