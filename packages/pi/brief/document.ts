/**
 * The one file format of what survives a session, for the brief of a session and the memory of a project: Markdown that a
 * person may edit like code. Every entry that cwl writes carries a mark, so that an edit can be distinguished from text that was
 * left alone. All other lines stay as they are.
 */
import { fnv1a, MAX_NAME_LENGTH, nameText, quote, visibleText } from "#basics";

/** Files by name relative to the repository: size and the first digits of the hash, or `gone`. */
export type FileStates = ReadonlyMap<string, string>;

/** A heading of the third level with everything up to the next heading, an item of a list that a person wrote, or another line. */
export interface Piece {
	readonly type: "entry" | "item" | "other";
	/** The heading of the second level above it, without the signs. */
	readonly section: string;
	readonly lines: readonly string[];
	/** The heading of an entry, and the text below it or of an item; unescaped. */
	readonly name: string;
	readonly text: string;
	/** One line below the heading that is rewritten each time, "" for none. */
	readonly facts: string;
	readonly files: FileStates;
	/** The time in its mark, ISO 8601; "" without one, and for what a person wrote or edited. */
	readonly at: string;
	/** True if a person wrote or edited it. */
	readonly isEdited: boolean;
}

export interface Document {
	readonly pieces: readonly Piece[];
	/** The record that cwl wrote at the end of the file, by key. */
	readonly record: ReadonlyMap<string, string>;
}

/** For each kind of file, what the record at its end is about. */
const recordTitles = {
	memory: "sessions that are in here, each up to a time",
	brief: "the session that this is from; leave it as it is",
};
export type DocumentKind = keyof typeof recordTitles;

/** The version of the format; a file with a higher one is neither read nor overwritten. */
export const DOCUMENT_VERSION = 1;

/** An entry as the file has it; `parseDocument` reads the same back. */
export function writeEntry(
	draft: Pick<Piece, "name" | "text"> & Partial<Pick<Piece, "facts" | "files" | "at">>,
): string {
	const { at = "", facts = "", files = new Map() } = draft;
	const text = tidy(draft.text);
	const heading = `### ${headingText(draft.name)}`;
	const mark = `${at} ${markOf(heading, text, files)}`.trim();
	const parts = [
		heading,
		facts && `_${escapeLine(onOneLine(facts))}_`,
		text.split("\n").map(escapeLine).join("\n"),
		formatFiles(files).join("\n"),
		`<!-- cwl ${mark} -->`,
	];
	return `\n${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** The hash by which an edit of an entry is noticed. */
export function markOf(heading: string, text: string, files: FileStates): string {
	return fnv1a([heading, text, ...formatFiles(files)].join("\n")).toString(16);
}

/** The name as it is where it reads back so, else in quotes. */
function headingText(name: string): string {
	const isWritten = name !== "" && name === onOneLine(name);
	const isPlain = isWritten && name.length <= MAX_NAME_LENGTH && !/^"|</.test(name);
	return isPlain ? name : nameText(name).replaceAll("<", "\\u003c");
}

/** Files as lines of a list, in quotes where a name is not plain. */
export function formatFiles(files: FileStates): readonly string[] {
	return [...files].map(([name, state]) => {
		const quoted = quote(name);
		const isBare = quoted === `"${name}"` && !/[\s<]/.test(name);
		return `- ${isBare ? name : quoted.replaceAll("<", "\\u003c")} ${state}`;
	});
}

/** The text of the file: its parts, each on lines of its own, and the record at its end. */
export function formatDocument(
	parts: readonly string[],
	record: Document["record"],
	kind: DocumentKind,
): string {
	const body = parts
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.replace(/\n+$/, "");
	const rows = [...record].map(([key, value]) => `${key} ${value}`);
	return `${body}\n\n${[`<!-- cwl-${kind} ${DOCUMENT_VERSION}: ${recordTitles[kind]}`, ...rows, "-->"].join("\n")}\n`;
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

/** Escapes a line, so that it is plain text: no HTML, which would hide what is there, and nothing that begins a heading or a list. */
function escapeLine(line: string): string {
	return line
		.replaceAll("\\", "\\\\")
		.replaceAll("<", "\\<")
		.replace(/^(?=[#>=_-])/, "\\");
}

export function unescapeLine(line: string): string {
	return line.replace(/\\([\\<#>+*=_-])/g, "$1");
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
