/** Reads a document, whatever a person made of its file. */
import { isAbsolute } from "node:path";
import { quoteStart, unquote, visibleText } from "#core/transcript";
import {
	clean,
	DOCUMENT_VERSION,
	type Document,
	type DocumentKind,
	documentKinds,
	type Entry,
	hashOf,
	type Item,
	markOf,
	type Piece,
	tidy,
	unescapeLine,
} from "./document.ts";

export type ParsedDocument =
	| (Document & {
			readonly type: "read";
			/** Each names a line, its value and the remedy; all other lines hold. */
			readonly problems: readonly string[];
			/** True while the file holds the marks of a git merge: it may be read and not written. */
			readonly isInConflict: boolean;
	  })
	| { readonly type: "refused"; readonly reason: string };

const RECORD = /^<!-- cwl-(?:memory|brief) (\d+)\b/;
const MARK = /^<!-- cwl (?:(\S+) )?([0-9a-f]{1,8}) -->$/;
const ITEM = /^[-*] (.*?)(?:<!-- cwl (\S+) ([0-9a-f]{1,8}) -->)?$/;
const FILE = /^- (.+) (gone|\d+:[0-9a-f]*)$/;
const FACTS = /^_.*_$/;
const GOAL = /^_Goal: (.*)_$/;
/** Stands in for a goal; a person may have written one above it. */
const STAND_IN = /^_none set; the session began with .*_$/;
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/;
/** A file that holds none of our lines may have a problem in each. */
const MAX_PROBLEMS = 20;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Reads the text of a file, whatever a person made of it. Never throws. */
export function parseDocument(text: string, kind: DocumentKind): ParsedDocument {
	if (text.includes("\0")) return refuse("it holds a zero byte, so it is no text", "restore it");
	const lines = text.replace(/^\uFEFF/, "").split("\n");
	const newer = lines
		.flatMap((line) => RECORD.exec(line)?.[1] ?? [])
		.find((version) => Number(version) > DOCUMENT_VERSION);
	if (newer !== undefined) {
		return refuse(
			`cwl-${kind} is ${newer}, and this cwl reads up to ${DOCUMENT_VERSION}`,
			"a newer cwl wrote it: update cwl",
		);
	}
	const pieces: Piece[] = [];
	const problems: string[] = [];
	const record = new Map<string, string>();
	let section = "";
	for (let at = 0; at < lines.length; ) {
		const line = clean(lines[at]);
		if (RECORD.test(line)) {
			at = readRecord(lines, at, kind, record, problems);
			continue;
		}
		if (/^#{1,2} /.test(line)) section = line.replace(/^#+ /, "");
		const end = line.startsWith("### ") ? findEnd(lines, at) : at + 1;
		const raw = lines.slice(at, end);
		if (line.startsWith("### ")) pieces.push(readEntry(raw, at, section, kind, problems));
		else if (ITEM.test(line)) pieces.push(readItem(raw, section));
		else {
			if (MARK.test(line)) problems.push(problem(at, line, "this mark follows no entry: remove the line"));
			pieces.push({ type: "other", section, lines: [lines[at] ?? ""] });
		}
		at = end;
	}
	const conflict = lines.findIndex((line) => CONFLICT.test(clean(line)));
	if (conflict >= 0) {
		const remedy = "this is the mark of a merge: resolve it; until then nothing is written";
		problems.unshift(problem(conflict, lines[conflict] ?? "", remedy));
	}
	const rest = problems.splice(MAX_PROBLEMS).length;
	if (rest > 0) problems.push(`${rest} more lines are wrong: mend or remove them.`);
	return { type: "read", pieces, record, problems, isInConflict: conflict >= 0 };
}

/** Reads up to the end of the record, or to the first line that is none of it; returns the place after it. */
function readRecord(
	lines: readonly string[],
	start: number,
	kind: DocumentKind,
	record: Map<string, string>,
	problems: string[],
): number {
	for (let at = start; at < lines.length; at += 1) {
		const line = clean(lines[at]).trim();
		if (line === "-->" || (RECORD.test(line) && line.endsWith("-->"))) return at + 1;
		if (RECORD.test(line) || line === "") continue;
		const [, key, value] = documentKinds[kind].record.exec(line) ?? [];
		if (key === undefined || value === undefined) {
			problems.push(problem(at, line, documentKinds[kind].remedy));
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

function readEntry(
	lines: readonly string[],
	start: number,
	section: string,
	kind: DocumentKind,
	problems: string[],
): Entry {
	const raw = lines.map(clean);
	const place = raw.findIndex((line) => MARK.test(line));
	const [, time = "", mark] = MARK.exec(raw[place] ?? "") ?? [];
	const marked = raw.filter((_, index) => index !== place);
	const firstSaid = raw.findIndex((line, index) => index > 0 && line !== "");
	const files = new Map<string, string>();
	const said: string[] = [];
	const goal = kind === "memory" ? GOAL.exec(raw[firstSaid] ?? "")?.[1] : undefined;
	for (const [index, line] of raw.entries()) {
		const isFacts = index === firstSaid && (goal !== undefined || (kind === "brief" && FACTS.test(line)));
		if (index === 0 || isFacts || STAND_IN.test(line) || line.startsWith("<!--")) continue;
		const file = kind === "memory" ? FILE.exec(line.trim()) : null;
		const name = unquote(file?.[1] ?? "");
		if (file && isInnerName(name)) files.set(name, file[2] ?? "");
		else if (file || (kind === "memory" && /^- \S+ \d+:\S*$/.test(line.trim()))) {
			const remedy =
				"a file of this repository is followed by its size and hash, such as 12:ab34: mend or remove the line";
			problems.push(problem(start + index, line, remedy));
		} else said.push(line);
	}
	if (mark !== undefined && time !== "" && !TIME.test(time)) {
		const remedy = "this is no time: the entry counts as yours; remove the line";
		problems.push(problem(start + place, raw[place] ?? "", remedy));
	}
	const text = tidy(said.map(unescapeLine).join("\n"));
	// Notes of earlier versions escaped less.
	const older = said
		.map((line) => line.replace(/^\\(?=\\*(?:#|_|<!-- cwl))/, ""))
		.join("\n")
		.trim();
	const isSame = time === "" ? [text, older].some((one) => hashOf(one) === mark) : mark === markOf(marked);
	const isMade = isSame && (time === "" || TIME.test(time));
	return {
		...{ type: "entry", section, name: unquote(raw[0]?.slice(4) ?? ""), text, files, lines },
		...{ goal: unescapeLine(goal ?? ""), isEdited: !isMade, at: isMade ? time : "" },
	};
}

function readItem(lines: readonly string[], section: string): Item {
	const [, said, time = "", mark] = ITEM.exec(clean(lines[0])) ?? [];
	const text = clean(said);
	const isMade = mark !== undefined && TIME.test(time) && mark === markOf([`- ${text}`]);
	return {
		...{ type: "item", section, text: unescapeLine(text), lines },
		...{ isEdited: !isMade, at: isMade ? time : "" },
	};
}

/** Returns true for a name that leads nowhere but below the repository. */
function isInnerName(name: string): boolean {
	const isPlain = name !== "" && name.length <= 300 && !name.includes("\0");
	return isPlain && !isAbsolute(name) && !/^[A-Za-z]:/.test(name) && !name.split(/[/\\]/).includes("..");
}

function problem(index: number, value: string, remedy: string): string {
	return `line ${index + 1}: ${quoteStart(value.trim(), 80)}: ${remedy}.`;
}

function refuse(found: string, remedy: string): ParsedDocument {
	return { type: "refused", reason: `${visibleText(found)}; ${remedy}.` };
}
