/** Reads the file of what survives a session, whatever a person made of it: a line that cannot be read is named, all others hold. */
import { isAbsolute } from "node:path";
import { quoteStart, unquote, visibleText } from "#core/transcript";
import {
	DOCUMENT_VERSION,
	type DocumentKind,
	documentKinds,
	hashOf,
	markOf,
	type Piece,
	pieceOf,
	tidy,
	unescapeLine,
} from "./document.ts";

const RECORD = /^<!-- cwl-(?:memory|brief) (\d+)\b/;
const MARK = /^<!-- cwl (?:(\S+) )?([0-9a-f]{1,8}) -->$/;
const ITEM = /^[-*] (.*?)(?:<!-- cwl (\S+) ([0-9a-f]{1,8}) -->)?$/;
/** A file with its state, or a line that was probably meant as one. */
const FILE = /^- (?:(.+) (gone|\d+:[0-9a-f]*)|\S+ \d+:\S*)$/;
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/;
/** A file that holds none of our lines may have a problem in each. */
const MAX_PROBLEMS = 20;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A file while it is read. */
interface Source {
	/** The white space at their ends is cut: line ends of any kind are no edit. */
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
		type: "read" as const,
		pieces,
		record,
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
		if ((facts && index === firstSaid) || line.startsWith("<!--")) continue;
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
	const isSame = mark === (time === "" ? hashOf(text) : markOf([heading, ...below.toSpliced(place, 1)]));
	const isMade = isTime && isSame;
	return {
		type: "entry",
		name: unquote(heading.slice(4)),
		text,
		files,
		goal: unescapeLine(facts?.[1] ?? ""),
		isEdited: !isMade,
		at: isMade ? time : "",
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
