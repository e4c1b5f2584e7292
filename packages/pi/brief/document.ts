/**
 * The one file format of what survives a session, for the brief of a session and the memory of a project: Markdown that a
 * person may edit like code. Every entry that cwl writes carries a mark, so that an edit can be distinguished from text that was
 * left alone. All other lines stay as they are.
 */
import { fnv1a } from "#basics";
import { MAX_NAME_LENGTH, nameText, quote, visibleText } from "#core/transcript";

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

/** A piece with the section, text and whatever else is given of it. */
export function pieceOf(given: Partial<Piece> & Pick<Piece, "type" | "section" | "lines">): Piece {
	return { name: "", text: "", facts: "", files: new Map(), at: "", isEdited: false, ...given };
}

export function writeEntry(
	draft: Pick<Piece, "section" | "name" | "text"> & Partial<Pick<Piece, "facts" | "files" | "at">>,
): Piece {
	const { at = "", facts = "", files = new Map() } = draft;
	const text = tidy(draft.text);
	const heading = `### ${headingText(draft.name)}`;
	const fileLines = [...files].map(([file, state]) => formatFile(file, state));
	const parts = [
		[heading],
		facts === "" ? [] : [`_${escapeLine(onOneLine(facts))}_`],
		text === "" ? [] : text.split("\n").map(escapeLine),
		fileLines,
	];
	const said = parts.flatMap((part) => (part.length > 0 ? [...part, ""] : []));
	const mark = [at, markOf(heading, text, files)].join(" ").trim();
	return pieceOf({ type: "entry", ...draft, text, lines: [...said, `<!-- cwl ${mark} -->`, ""] });
}

/** The hash by which an edit of an entry is noticed. */
export function markOf(heading: string, text: string, files: FileStates): string {
	const rows = [...files].map(([file, state]) => formatFile(file, state));
	return fnv1a([heading, text, ...rows].join("\n")).toString(16);
}

/** The name as it is where it reads back so, else in quotes. */
function headingText(name: string): string {
	const isWritten = name !== "" && name === onOneLine(name);
	const isPlain = isWritten && name.length <= MAX_NAME_LENGTH && !/^"|</.test(name);
	return isPlain ? name : nameText(name).replaceAll("<", "\\u003c");
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
		if (piece.type === "entry" && (lines.at(-1)?.trim() ?? "") !== "") lines.push("");
		lines.push(...piece.lines);
	}
	const body = lines
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
