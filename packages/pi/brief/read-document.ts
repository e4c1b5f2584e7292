/** Reads the file of what survives a session, whatever a person made of it. */

import { isAbsolute } from "node:path";
import { quoteStart, unquote } from "#basics";
import { refusal } from "../errors.ts";
import { DOCUMENT_VERSION, type Document, markOf, type Piece, tidy, unescapeLine } from "./document.ts";

/** A piece whose lines say nothing. */
const bare = { name: "", text: "", facts: "", files: new Map<string, string>(), at: "", isEdited: false };

const RECORD = /^<!-- cwl-(memory|brief) (\d+)/;
const ROW = /^([\w-]{1,64}) (.+)$/;
const MARK = /^<!-- cwl (?:(\S+) )?([0-9a-f]{1,8}) -->$/;
const FACTS = /^_(.*)_$/;
const FILE = /^- (.+) (gone|\d+:[0-9a-f]*)$/;
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Reads the text of a file. @throws CwlError for what is no text or of a newer cwl, and while it holds the marks of a git merge */
export function parseDocument(text: string): Document {
	if (text.includes("\0")) throw refusal("it holds a zero byte, so it is no text; restore it.");
	const raw = text.replace(/^\uFEFF/, "").split("\n");
	// Line ends of any kind are no edit.
	const lines = raw.map((line) => line.trimEnd());
	const conflict = lines.findIndex((line) => CONFLICT.test(line));
	if (conflict >= 0) {
		const found = quoteStart(lines[conflict] ?? "", 80);
		throw refusal(`line ${conflict + 1}: ${found}: this is the mark of a merge: resolve it.`);
	}
	for (const line of lines) refuseNewer(line);
	const pieces: Piece[] = [];
	const record = new Map<string, string>();
	let section = "";
	for (let at = 0, end = 0; at < lines.length; at = end) {
		const line = lines[at] ?? "";
		if (RECORD.test(line)) {
			end = readRecord(lines, at, record);
			continue;
		}
		if (/^##? /.test(line)) section = line.replace(/^#+ /, "");
		end = line.startsWith("### ") ? findEnd(lines, at) : at + 1;
		pieces.push({ ...bare, section, lines: raw.slice(at, end), ...readPiece(lines.slice(at, end)) });
	}
	return { pieces, record };
}

/** @throws CwlError for the first line of a record whose format this version does not know */
function refuseNewer(line: string) {
	const [, kind = "", version = ""] = RECORD.exec(line) ?? [];
	if (Number(version) <= DOCUMENT_VERSION) return;
	throw refusal(
		`cwl-${kind} is ${version}, and this cwl reads up to ${DOCUMENT_VERSION}; a newer cwl wrote it: update cwl.`,
	);
}

/** Reads up to the end of the record, or to the first line that is none of it; returns the place after it. */
function readRecord(lines: readonly string[], start: number, record: Map<string, string>): number {
	for (let at = start + 1; at < lines.length; at += 1) {
		const line = lines[at] ?? "";
		if (line === "-->") return at + 1;
		const [, key = "", value = ""] = ROW.exec(line) ?? [];
		if (key === "") return at;
		if (value > (record.get(key) ?? "")) record.set(key, value);
	}
	return lines.length;
}

function findEnd(lines: readonly string[], start: number): number {
	let end = start + 1;
	while (end < lines.length && !/^#{1,3} /.test(lines[end] ?? "") && !RECORD.test(lines[end] ?? "")) end += 1;
	return end;
}

function readPiece([line = "", ...below]: readonly string[]): Pick<Piece, "type"> & Partial<Piece> {
	if (line.startsWith("### ")) return readEntry(line, below);
	const [, item] = /^[-*] (.*)$/.exec(line) ?? [];
	if (item === undefined) return { type: "other" };
	return { type: "item", text: unescapeLine(item), isEdited: true };
}

function readEntry(heading: string, below: readonly string[]): Pick<Piece, "type"> & Partial<Piece> {
	const firstSaid = below.findIndex((line) => line !== "");
	const facts = FACTS.exec(below[firstSaid] ?? "");
	const files = new Map<string, string>();
	const said: string[] = [];
	let mark: RegExpExecArray | null = null;
	for (const [index, line] of below.entries()) {
		mark ??= MARK.exec(line);
		if ((facts && index === firstSaid) || line.startsWith("<!--")) continue;
		const [, name = "", state = ""] = FILE.exec(line.trim()) ?? [];
		const file = unquote(name);
		if (isInnerName(file)) files.set(file, state);
		else said.push(line);
	}
	const [, at = "", hash] = mark ?? [];
	const text = tidy(said.map(unescapeLine).join("\n"));
	const isMade = hash === markOf(heading, text, files) && (at === "" || TIME.test(at));
	return {
		type: "entry",
		name: unquote(heading.slice(4)),
		text,
		facts: unescapeLine(facts?.[1] ?? ""),
		files,
		at: isMade ? at : "",
		isEdited: !isMade,
	};
}

/** Returns true for a name that leads nowhere but below the repository. */
function isInnerName(name: string): boolean {
	const isPlain = name !== "" && name.length <= 300;
	return isPlain && !isAbsolute(name) && !/^[A-Za-z]:/.test(name) && !name.split(/[/\\]/).includes("..");
}
