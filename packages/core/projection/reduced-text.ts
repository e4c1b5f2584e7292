/**
 * A large output at lower detail (seed 004): its structure instead of its text. A function of the text, the
 * age and the call's id alone, so that it is the same in every request, after a resume, and in a replay.
 */
import { cutText, quote, unquote } from "#basics";
import type { Form } from "../log/pass.ts";

/** The age at which one line replaces an output. */
export const ONE_LINE = 4;

/** Lengths in lines and, of one line, in characters. */
interface Detail {
	readonly head: number;
	readonly tail: number;
	/** Lines between head and tail that are indented by less than `depth` levels. */
	readonly outline: number;
	/** Levels of indented text between head and tail, and of nested data. */
	readonly depth: number;
	/** Entries of a list or an object in data. */
	readonly entries: number;
	readonly lineLength: number;
}

/** Each age shows about a third of the one before; the seed goes from depth 4 to 2 and from 25 entries to 10. */
const details: Readonly<Record<1 | 2 | 3, Detail>> = {
	1: { head: 24, tail: 16, outline: 24, depth: 2, entries: 25, lineLength: 240 },
	2: { head: 8, tail: 6, outline: 10, depth: 1, entries: 10, lineLength: 160 },
	3: { head: 3, tail: 2, outline: 0, depth: 1, entries: 3, lineLength: 120 },
};

/** The block that replaces an image of a reduced output. */
export const REDUCED_IMAGE = "[Image]";

/**
 * The text of an output at an age; the same text if that is not shorter. `callId` is what a recall asks for. Linear in
 * the text; never throws.
 */
export function reducedText(text: string, age: Form, callId: string): string {
	const short =
		age === ONE_LINE
			? placeholderText({ lines: text.split("\n").length, callId })
			: showStructure(text, details[age], callId);
	return short.length < text.length ? short : text;
}

function showStructure(text: string, detail: Detail, callId: string): string {
	const data = pruneJson(text, detail);
	if (data !== undefined) return `[reduced, with fewer entries; recall ${quote(callId)} gives all]\n${data}`;
	const lines = text.split("\n");
	const { head, tail, lineLength } = detail;
	const end = Math.max(head, lines.length - tail);
	const kept = [
		...lines.slice(0, head),
		...(end > head ? middle(lines.slice(head, end), detail, callId) : []),
		...lines.slice(end),
	];
	return kept.map((line) => cutLine(line, lineLength)).join("\n");
}

/** The outline of the lines between head and tail, under a line that says how many they were. */
function middle(lines: readonly string[], { outline, depth }: Detail, callId: string): readonly string[] {
	const shown = outlineOf(lines, depth, outline);
	const left = lines.length - shown.filter((line) => line !== GAP).length;
	return [`[reduced: ${left} lines left out here; recall ${quote(callId)} gives all]`, ...shown];
}

const GAP = "…";

/**
 * The lines that are indented least, up to so many, with a sign where others were left out: of as many levels below
 * `depth` as there is room for, and of the outermost one as many as there is room for.
 */
function outlineOf(lines: readonly string[], depth: number, most: number): readonly string[] {
	// Spread arguments would exhaust the stack on very long outputs.
	const unit = lines.reduce((least, line) => {
		const indent = indentOf(line);
		return indent > 0 && indent < least ? indent : least;
	}, MAX_INDENT);
	const isWithin = (level: number) => (line: string) => line.trim() !== "" && indentOf(line) < level * unit;
	let level = depth;
	while (level > 1 && lines.filter(isWithin(level)).length > most) level -= 1;
	const shown: string[] = [];
	let kept = 0;
	let isGap = false;
	for (const line of lines) {
		if (kept >= most || !isWithin(level)(line)) {
			isGap = true;
			continue;
		}
		if (isGap) shown.push(GAP);
		isGap = false;
		shown.push(line);
		kept += 1;
	}
	return kept > 0 && isGap ? [...shown, GAP] : shown;
}

/** The unit is columns; a tab is one. */
const MAX_INDENT = 8;

function indentOf(line: string): number {
	return line.length - line.trimStart().length;
}

/** A long line without its end. */
function cutLine(line: string, most: number): string {
	return line.length <= most ? line : `${cutText(line, most)}${GAP}`;
}

/** Numbers that JavaScript would change are left to the text; so is nesting that could exhaust the stack. */
const INEXACT = /\d{16}|\d[eE][+-]?\d/;
/** The unit is characters; a longer text is not worth the time. */
const MAX_LENGTH = 1_000_000;

/** The data of a text with less of it; undefined if the text holds no object and no list. Never throws. */
function pruneJson(text: string, limits: Detail): string | undefined {
	if (!/^\s*[[{]/.test(text) || text.length > MAX_LENGTH || INEXACT.test(text)) return undefined;
	try {
		return JSON.stringify(prune(JSON.parse(text), limits.depth + 1, limits), undefined, 1);
	} catch {
		return undefined;
	}
}

function prune(value: unknown, depth: number, limits: Detail): unknown {
	const { entries, lineLength } = limits;
	if (typeof value === "string")
		return value.length > lineLength ? `${cutText(value, lineLength)}… ${value.length} characters` : value;
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) {
		if (depth === 0) return `[${value.length} entries]`;
		const shown = value.slice(0, entries).map((each: unknown) => prune(each, depth - 1, limits));
		return value.length > entries ? [...shown, `… ${value.length - entries} more`] : shown;
	}
	const all = Object.entries(value);
	if (depth === 0) return `{${all.length} keys}`;
	const shown = all.slice(0, entries).map(([key, each]) => [key, prune(each, depth - 1, limits)] as const);
	return Object.fromEntries(
		all.length > entries ? [...shown, ["…", `${all.length - entries} more`] as const] : shown,
	);
}

/** The facts in the one line that replaces a whole tool output: its length, and the call that a recall asks for. */
export interface Placeholder {
	readonly lines: number;
	readonly callId: string;
}

const LINE = /^\[output of (\d+) lines? left out; recall (".*")\]$/;

/** The line as a request shows it. */
export function placeholderText({ lines, callId }: Placeholder): string {
	return `[output of ${lines} ${lines === 1 ? "line" : "lines"} left out; recall ${quote(callId)}]`;
}

/** The lines of evicted episodes, which may stand behind the placeholder in the same result. */
const MARKER = /^\[(?:act|expl|\d+ episodes)\b/;

/** The inverse of `placeholderText`; undefined for a text that has content. */
export function readPlaceholder(text: string): Placeholder | undefined {
	const [line = "", ...rest] = text.split("\n");
	if (!rest.every((marker) => MARKER.test(marker))) return undefined;
	const [, lines, quoted] = LINE.exec(line) ?? [];
	return quoted === undefined ? undefined : { lines: Number(lines), callId: unquote(quoted) };
}
