/**
 * The one file format of what survives a session, for the brief of a session and the memory of a project: Markdown that a
 * person may edit like code. Everything that cwl writes carries a mark, so that an edit can be told from text that was left
 * alone. All other lines stay as they are.
 */
import { isAbsolute } from "node:path";
import { fnv1a } from "#core";
import { MAX_NAME_LENGTH, nameText, quote, quoteStart, unquote, visibleText } from "#core/transcript";

/** Files by name relative to the repository: size and the first digits of the hash, or `gone`. */
export type FileStates = ReadonlyMap<string, string>;

/** A heading of the third level with everything up to the next heading, an item of a list, or another line. */
export interface Piece {
	readonly type: "entry" | "item" | "other";
	/** The heading of the second level above it, without the signs. */
	readonly section: string;
	readonly lines: readonly string[];
	/** The heading of an entry, and the text below it or of an item; unescaped. */
	readonly name: string;
	readonly text: string;
	/** The time in its mark, ISO 8601; "" without one, and for what a person wrote or edited. */
	readonly at: string;
	/** True if a person wrote or edited it. */
	readonly isEdited: boolean;
	readonly files: FileStates;
	/** The goal of the session that found it, "" for none. */
	readonly goal: string;
}

export interface Document {
	readonly pieces: readonly Piece[];
	/** The record that cwl wrote at the end of the file, by key. */
	readonly record: ReadonlyMap<string, string>;
}

type DocumentKind = "memory" | "brief";

const DOCUMENT_VERSION = 1;

/** By kind: what the record at the end of a file holds, its lines, what helps where one is none, and the line below a heading. */
const documentKinds = {
	memory: {
		about: "sessions that are in here, each up to a time",
		record: /^([\w-]{1,64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)$/,
		remedy: "a session is followed by a time such as 2026-11-22T20:15:00.000Z: mend or remove the line",
		facts: /^_Goal: (.*)_$/,
	},
	brief: {
		about: "the session that this is from; leave it as it is",
		record: /^(session|cwd|last|saved) (.+)$/,
		remedy: "session, cwd, last or saved is followed by a value: remove the file and write it again",
		facts: /^_.*_$/,
	},
} as const satisfies Readonly<Record<DocumentKind, unknown>>;

/** A piece with the section, text and whatever else is given of it. */
function pieceOf(given: Partial<Piece> & Pick<Piece, "type" | "section" | "lines">): Piece {
	return { name: "", text: "", at: "", isEdited: false, files: new Map(), goal: "", ...given };
}

type EntryDraft = Pick<Piece, "section" | "name" | "text"> &
	Partial<Pick<Piece, "at" | "files" | "goal">> & {
		/** One line that is rewritten each time and never read back. */
		readonly facts?: string;
		/** The text that the mark is for, where a person's own lines in `text` are to count as edited. */
		readonly written?: string;
	};

/** An entry without a time is compared by its text alone. */
export function writeEntry({ facts = "", written, ...draft }: EntryDraft): Piece {
	const { name, at = "", files = new Map(), goal = "" } = draft;
	const text = tidy(draft.text);
	const below = goal === "" ? facts : `Goal: ${escapeLine(onOneLine(goal))}`;
	const parts = [
		[`### ${headingText(name)}`],
		below === "" ? [] : [`_${below}_`],
		text === "" ? [] : text.split("\n").map(escapeLine),
		[...files].map(([file, state]) => formatFile(file, state)),
	];
	const said = parts.flatMap((part) => (part.length > 0 ? [...part, ""] : []));
	const mark = at === "" ? hashOf(tidy(written ?? text)) : `${at} ${markOf(said)}`;
	return pieceOf({ type: "entry", ...draft, text, lines: [...said, `<!-- cwl ${mark} -->`, ""] });
}

/** The name as it is where it reads back so, else in quotes. */
function headingText(name: string): string {
	const isWritten = name !== "" && name === onOneLine(name);
	const isPlain = isWritten && name.length <= MAX_NAME_LENGTH && !/^"|</.test(name);
	return isPlain ? name : nameText(name).replaceAll("<", "\\u003c");
}

export function writeItem(section: string, text: string, at: string): Piece {
	const body = `- ${escapeLine(onOneLine(text))}`;
	return pieceOf({
		type: "item",
		section,
		text,
		at,
		lines: [`${body} <!-- cwl ${at} ${markOf([body])} -->`],
	});
}

export function otherLines(text: string, section = ""): readonly Piece[] {
	return text.split("\n").map((line) => pieceOf({ type: "other", section, lines: [line] }));
}

/** One file as a line of a list, in quotes where the name is not plain. */
export function formatFile(name: string, state: string): string {
	const quoted = quote(name);
	const isBare = quoted === `"${name}"` && !/[\s<]/.test(name);
	return `- ${isBare ? name : quoted.replaceAll("<", "\\u003c")} ${state}`;
}

/** The text of the file; ends with a newline. */
export function formatDocument({ pieces, record }: Document, kind: DocumentKind): string {
	const lines: string[] = [];
	for (const piece of pieces) {
		const above = lines.at(-1)?.trimEnd() ?? "";
		const needsBlank = piece.type === "entry" || (piece.type === "item" && above.startsWith("#"));
		if (needsBlank && above !== "") lines.push("");
		lines.push(...piece.lines);
	}
	const body = lines
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.replace(/\n+$/, "");
	const head = `<!-- cwl-${kind} ${DOCUMENT_VERSION}: ${documentKinds[kind].about}`;
	const rows = [...record].map(([key, value]) => `${key} ${value}`);
	return `${body}\n\n${[head, ...rows, "-->"].join("\n")}\n`;
}

/** Text as a file holds it: without what would move a cursor, white space at the ends of lines, and runs of blank lines. */
export function tidy(text: string): string {
	const lines = visibleText(text.replace(/\r\n?/g, "\n")).split("\n");
	return lines
		.map((line) => line.trimEnd())
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.trim();
}

export function onOneLine(text: string): string {
	return tidy(text).replace(/\s+/g, " ");
}

/** A line that stands for itself: no HTML, which would hide what is there, and nothing that begins a heading or a list. */
function escapeLine(line: string): string {
	return line
		.replaceAll("\\", "\\\\")
		.replaceAll("<", "\\<")
		.replace(/^(?=[#>=_-])/, "\\");
}

function unescapeLine(line: string): string {
	return line.replace(/\\([\\<#>+*=_-])/g, "$1");
}

/** Tells an edit from none; blank lines and line ends are no edit. */
function markOf(lines: readonly string[]): string {
	return hashOf(
		lines
			.map((line) => line.trimEnd())
			.filter((line) => line !== "")
			.join("\n"),
	);
}

function hashOf(text: string): string {
	return fnv1a(text).toString(16);
}

/** Texts with the same key say the same. */
export function keyOf(text: string): string {
	return text
		.toLowerCase()
		.replace(/[*`]/g, "")
		.replace(/[.!\s]+/g, " ")
		.trim();
}

/** Puts the older first. */
export function byTime(a: Pick<Piece, "at">, b: Pick<Piece, "at">): number {
	return a.at < b.at ? -1 : Number(a.at > b.at);
}

const RECORD = /^<!-- cwl-(?:memory|brief) (\d+)\b/;
const MARK = /^<!-- cwl (?:(\S+) )?([0-9a-f]{1,8}) -->$/;
const ITEM = /^[-*] (.*?)(?:<!-- cwl (\S+) ([0-9a-f]{1,8}) -->)?$/;
/** A file with its state, or a line that was probably meant as one. */
const FILE = /^- (?:(.+) (gone|\d+:[0-9a-f]*)|\S+ \d+:\S*)$/;
/** Stands in for a goal; a person may have written one above it. */
const STAND_IN = /^_none set; the session began with .*_$/;
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/;
/** A file that holds none of our lines may have a problem in each. */
const MAX_PROBLEMS = 20;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A file while it is read. */
interface Source {
	/** Without the white space at their ends: line ends of any kind are no edit. */
	readonly lines: readonly string[];
	readonly kind: DocumentKind;
	/** Adds a problem: the line at a place is wrong, and what helps. */
	complain(at: number, remedy: string): void;
}

/** Reads the text of a file, whatever a person made of it. Never throws. */
export function parseDocument(text: string, kind: DocumentKind) {
	if (text.includes("\0")) return refuse("it holds a zero byte, so it is no text", "restore it");
	const raw = text.replace(/^\uFEFF/, "").split("\n");
	const lines = raw.map((line) => line.trimEnd());
	const newer = lines
		.flatMap((line) => RECORD.exec(line)?.[1] ?? [])
		.find((version) => Number(version) > DOCUMENT_VERSION);
	if (newer !== undefined) {
		return refuse(
			`cwl-${kind} is ${newer}, and this cwl reads up to ${DOCUMENT_VERSION}`,
			"a newer cwl wrote it: update cwl",
		);
	}
	const problems: string[] = [];
	const complain = (at: number, remedy: string) => {
		problems.push(`line ${at + 1}: ${quoteStart((lines[at] ?? "").trim(), 80)}: ${remedy}.`);
	};
	const source = { lines, kind, complain };
	const conflict = lines.findIndex((line) => CONFLICT.test(line));
	if (conflict >= 0)
		complain(conflict, "this is the mark of a merge: resolve it; until then nothing is written");
	const pieces: Piece[] = [];
	const record = new Map<string, string>();
	let section = "";
	for (let at = 0, end = 0; at < lines.length; at = end) {
		const line = lines[at] ?? "";
		if (RECORD.test(line)) {
			end = readRecord(source, at, record);
			continue;
		}
		if (/^##? /.test(line)) section = line.replace(/^#+ /, "");
		end = line.startsWith("### ") ? findEnd(lines, at) : at + 1;
		pieces.push(pieceOf({ section, lines: raw.slice(at, end), ...readPiece(source, at, end) }));
	}
	const rest = problems.splice(MAX_PROBLEMS).length;
	if (rest > 0) problems.push(`${rest} more lines are wrong: mend or remove them.`);
	return {
		...{ type: "read" as const, pieces, record },
		/** Each names a line, its value and the remedy; all other lines hold. */
		problems,
		/** True while the file holds the marks of a git merge: it may be read and not written. */
		isInConflict: conflict >= 0,
	};
}

/** Reads up to the end of the record, or to the first line that is none of it; returns the place after it. */
function readRecord({ lines, kind, complain }: Source, start: number, record: Map<string, string>): number {
	for (let at = start; at < lines.length; at += 1) {
		const line = (lines[at] ?? "").trim();
		if (line === "-->" || (RECORD.test(line) && line.endsWith("-->"))) return at + 1;
		if (RECORD.test(line) || line === "") continue;
		const [, key, value] = documentKinds[kind].record.exec(line) ?? [];
		if (key === undefined || value === undefined) {
			complain(at, documentKinds[kind].remedy);
			return at;
		}
		if (value > (record.get(key) ?? "")) record.set(key, value);
	}
	return lines.length;
}

function findEnd(lines: readonly string[], start: number): number {
	let end = start + 1;
	while (end < lines.length && !/^#{1,3} /.test(lines[end] ?? "") && !RECORD.test(lines[end] ?? "")) end += 1;
	return end;
}

type Read = Pick<Piece, "type"> & Partial<Piece>;

function readPiece(source: Source, at: number, end: number): Read {
	const line = source.lines[at] ?? "";
	if (line.startsWith("### ")) return readEntry(source, at, end);
	const [item, said = "", time = "", mark] = ITEM.exec(line) ?? [];
	if (item === undefined) {
		if (MARK.test(line)) source.complain(at, "this mark follows no entry: remove the line");
		return { type: "other" };
	}
	const text = said.trimEnd();
	const isMade = TIME.test(time) && mark === markOf([`- ${text}`]);
	return { type: "item", text: unescapeLine(text), isEdited: !isMade, at: isMade ? time : "" };
}

function readEntry({ lines, kind, complain }: Source, start: number, end: number): Read {
	const [heading = "", ...below] = lines.slice(start, end);
	const firstSaid = below.findIndex((line) => line !== "");
	const facts = documentKinds[kind].facts.exec(below[firstSaid] ?? "");
	const files = new Map<string, string>();
	const said: string[] = [];
	let place = -1;
	for (const [index, line] of below.entries()) {
		const row = kind === "memory" ? FILE.exec(line.trim()) : null;
		const file = unquote(row?.[1] ?? "");
		if (place < 0 && MARK.test(line)) place = index;
		if ((facts && index === firstSaid) || STAND_IN.test(line) || line.startsWith("<!--")) continue;
		if (!row) said.push(line);
		else if (isInnerName(file)) files.set(file, row[2] ?? "");
		else {
			const state = "a file of this repository is followed by its size and hash, such as 12:ab34";
			complain(start + 1 + index, `${state}: mend or remove the line`);
		}
	}
	const [, time = "", mark] = MARK.exec(below[place] ?? "") ?? [];
	const isTime = time === "" || TIME.test(time);
	if (!isTime) complain(start + 1 + place, "this is no time: the entry counts as yours; remove the line");
	const text = tidy(said.map(unescapeLine).join("\n"));
	// Notes of earlier versions escaped less.
	const older = said.map((line) => line.replace(/^\\(?=\\*(?:#|_|<!-- cwl))/, ""));
	const hashes = [text, older.join("\n").trim()].map(hashOf);
	const isSame =
		time === "" ? hashes.includes(mark ?? "") : mark === markOf([heading, ...below.toSpliced(place, 1)]);
	const isMade = isTime && isSame;
	return {
		...{ type: "entry", name: unquote(heading.slice(4)), text, files },
		...{ goal: unescapeLine(facts?.[1] ?? ""), isEdited: !isMade, at: isMade ? time : "" },
	};
}

/** Returns true for a name that leads nowhere but below the repository. */
function isInnerName(name: string): boolean {
	const isPlain = name !== "" && name.length <= 300 && !name.includes("\0");
	return isPlain && !isAbsolute(name) && !/^[A-Za-z]:/.test(name) && !name.split(/[/\\]/).includes("..");
}

function refuse(found: string, remedy: string) {
	return { type: "refused" as const, reason: `${visibleText(found)}; ${remedy}.` };
}
