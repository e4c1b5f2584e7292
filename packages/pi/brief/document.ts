/**
 * The one file format of what survives a session, for the brief of a session and the memory of a project: Markdown that a
 * person may edit like code. Everything that cwl writes carries a mark, so that an edit can be distinguished from text that was left
 * alone. All other lines stay as they are.
 */
import { fnv1a } from "#basics";
import { MAX_NAME_LENGTH, nameText, quote, visibleText } from "#core/transcript";

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

export type DocumentKind = "memory" | "brief";

export const DOCUMENT_VERSION = 1;

/** For each kind: what the record at the end of a file holds, its lines, what helps where one is none, and the line below a heading. */
export const documentKinds = {
	memory: {
		about: "sessions that are in here, each up to a time",
		record: /^([\w-]{1,64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)$/,
		remedy: "a session is followed by a time such as 2026-11-22T20:15:00.000Z: mend or remove the line",
		facts: /^_Goal: (.*)_$/,
	},
	brief: {
		about: "the session that this is from; leave it as it is",
		record: /^(session|cwd|last|saved|branch|commit) (.+)$/,
		remedy:
			"session, cwd, last, saved, branch or commit is followed by a value: remove the file and write it again",
		facts: /^_.*_$/,
	},
} as const satisfies Readonly<Record<DocumentKind, unknown>>;

/** A piece with the section, text and whatever else is given of it. */
export function pieceOf(given: Partial<Piece> & Pick<Piece, "type" | "section" | "lines">): Piece {
	return { name: "", text: "", at: "", isEdited: false, files: new Map(), goal: "", ...given };
}

type EntryDraft = Pick<Piece, "section" | "name" | "text"> &
	Partial<Pick<Piece, "at" | "files" | "goal">> & {
		/** One line that is rewritten each time and never read back. */
		readonly facts?: string;
	};

/** An entry without a time is compared by its text alone. */
export function writeEntry({ facts = "", ...draft }: EntryDraft): Piece {
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
	const mark = at === "" ? hashOf(text) : `${at} ${markOf(said)}`;
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

/** Tells an edit from none; blank lines and line ends are no edit. */
export function markOf(lines: readonly string[]): string {
	return hashOf(
		lines
			.map((line) => line.trimEnd())
			.filter((line) => line !== "")
			.join("\n"),
	);
}

export function hashOf(text: string): string {
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
