/** Reads the file of the project memory, whatever a person made of it. */
import { quoteStart, unquote, visibleText } from "#core/projection";
import { isInnerName, readFileLine } from "./file-names.ts";
import { MEMORY_VERSION, type Memory, markOf, type Segment, unescapeMarkdown } from "./memory.ts";

export type ParsedMemory =
	/** `problems` name a line, its value and the remedy; all other lines hold. */
	| {
			readonly type: "read";
			readonly memory: Memory;
			readonly problems: readonly string[];
			/** True while the file holds the marks of a git merge: it may be read and not written. */
			readonly isInConflict: boolean;
	  }
	| { readonly type: "refused"; readonly reason: string };

const RECORD = /^<!-- cwl-memory (\d+)\b/;
const MARK = /^<!-- cwl (\S+) ([0-9a-f]{1,8}) -->$/;
const BULLET = /^[-*] (.*?)(?:\s*<!-- cwl (\S+) ([0-9a-f]{1,8}) -->)?$/;
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Reads the text of the file. Never throws. */
export function parseMemory(text: string): ParsedMemory {
	if (text.includes("\0")) return refuse("it holds a zero byte, so it is no text", "restore it with git");
	const lines = text.split("\n");
	const version = lines
		.flatMap((line) => RECORD.exec(line)?.[1] ?? [])
		.find((found) => Number(found) > MEMORY_VERSION);
	if (version !== undefined) {
		return refuse(
			`cwl-memory is ${version}, and this cwl reads up to ${MEMORY_VERSION}`,
			"a newer cwl wrote it: update cwl",
		);
	}
	const reader = createReader(lines);
	while (reader.at < lines.length) readSegment(reader);
	const { segments, sessions, problems } = reader;
	const conflict = lines.findIndex((line) => CONFLICT.test(line));
	if (conflict >= 0) {
		problems.unshift(
			problem(
				conflict,
				lines[conflict] ?? "",
				"this is the mark of a merge: resolve it; until then nothing is written",
			),
		);
	}
	return { type: "read", memory: { segments, sessions }, problems, isInConflict: conflict >= 0 };
}

interface Reader {
	readonly lines: readonly string[];
	at: number;
	readonly segments: Segment[];
	readonly sessions: Map<string, string>;
	readonly problems: string[];
}

function createReader(lines: readonly string[]): Reader {
	return { lines, at: 0, segments: [], sessions: new Map(), problems: [] };
}

function readSegment(reader: Reader) {
	const line = (reader.lines[reader.at] ?? "").trimEnd();
	if (RECORD.test(line)) readRecord(reader);
	else if (line.startsWith("### ")) readFinding(reader);
	else if (BULLET.test(line)) readNote(reader);
	else {
		if (line.startsWith("<!-- cwl "))
			reader.problems.push(problem(reader.at, line, "this mark follows no entry: remove the line"));
		reader.segments.push({ type: "other", lines: [reader.lines[reader.at] ?? ""] });
		reader.at += 1;
	}
}

/** Up to its end, or to the first line that is no session. */
function readRecord(reader: Reader) {
	for (let isOpen = true; isOpen && reader.at < reader.lines.length; reader.at += 1) {
		const line = (reader.lines[reader.at] ?? "").trim();
		isOpen = !line.endsWith("-->");
		if (RECORD.test(line) || line === "-->" || line === "") continue;
		const [, session, time] = /^([\w-]{1,64}) (\S+)$/.exec(line) ?? [];
		if (session === undefined || time === undefined || !TIME.test(time)) {
			const remedy =
				"a session is followed by a time such as 2026-11-22T20:15:00.000Z: mend or remove the line";
			reader.problems.push(problem(reader.at, line, remedy));
			return;
		}
		if (time > (reader.sessions.get(session) ?? "")) reader.sessions.set(session, time);
	}
}

/** From the heading to its mark; without one, to the next heading. */
function readFinding(reader: Reader) {
	const start = reader.at;
	const end = findEnd(reader.lines, start);
	reader.at = end;
	const lines = reader.lines.slice(start, end);
	const [, time = "", mark] = MARK.exec((lines.at(-1) ?? "").trimEnd()) ?? [];
	const body = mark === undefined ? lines : lines.slice(0, -1);
	const files = new Map<string, string>();
	const said: string[] = [];
	for (const [index, raw] of body.slice(1).entries()) {
		const line = raw.trim();
		const file = readFileLine(line);
		if (file && isInnerName(file[0])) files.set(...file);
		else if (file || /^- \S+ \d+:\S*$/.test(line)) {
			reader.problems.push(
				problem(
					start + 1 + index,
					line,
					"a file of this repository is followed by its size and hash, such as 12:ab34: mend or remove the line",
				),
			);
		} else if (line !== "" && !line.startsWith("<!--")) said.push(unescapeMarkdown(line));
	}
	if (mark !== undefined && !TIME.test(time)) {
		reader.problems.push(
			problem(end - 1, lines.at(-1) ?? "", "this is no time: the entry counts as yours; remove the line"),
		);
	}
	const isMade = mark !== undefined && TIME.test(time) && mark === markOf(body);
	const name = unquote((lines[0] ?? "").slice(4));
	const above = reader.segments.at(-1);
	// The blank line above an entry comes and goes with it.
	const isBlank = above?.type === "other" && above.lines[0] === "";
	if (isBlank) reader.segments.pop();
	const all = isBlank ? ["", ...lines] : lines;
	reader.segments.push({
		type: "finding",
		lines: all,
		at: isMade ? time : "",
		name,
		text: said.join(" "),
		files,
	});
}

function findEnd(lines: readonly string[], start: number): number {
	for (let at = start + 1; at < lines.length; at += 1) {
		const line = (lines[at] ?? "").trimEnd();
		if (MARK.test(line)) return at + 1;
		if (/^#{1,3} /.test(line) || RECORD.test(line)) return at;
	}
	return lines.length;
}

function readNote(reader: Reader) {
	const raw = reader.lines[reader.at] ?? "";
	const [, text = "", time = "", mark] = BULLET.exec(raw.trimEnd()) ?? [];
	const isMade = mark !== undefined && TIME.test(time) && mark === markOf([`- ${text}`]);
	reader.segments.push({ type: "note", lines: [raw], at: isMade ? time : "", text: unescapeMarkdown(text) });
	reader.at += 1;
}

function problem(index: number, value: string, remedy: string): string {
	return `line ${index + 1}: ${quoteStart(value.trim(), 80)}: ${remedy}.`;
}

function refuse(found: string, remedy: string): ParsedMemory {
	return { type: "refused", reason: `${visibleText(found)}; ${remedy}.` };
}
