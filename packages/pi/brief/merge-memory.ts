/** Adds sessions to the project memory, and removes what no longer holds. No model, no clock: same input, same text. */
import { GONE } from "../files/manifest.ts";
import { byTime, type Document, type FileStates, keyOf, type Piece, writeEntry } from "./document.ts";
import { parseDocument } from "./read-document.ts";
import { GOAL, type SessionFindings } from "./session-findings.ts";

/** A memory without entries. */
const EMPTY = `# Project memory

What earlier sessions of the agent found out about this repository. cwl writes it from their episodes, without a model.
Edit it like code: your changes, your own entries and your deletions stay.

## Findings
`;

/** The entries of a memory, with the items that a person wrote. */
export function findingsIn({ pieces }: Pick<Document, "pieces">): readonly Piece[] {
	return pieces.filter(({ type, text }) => type !== "other" && text !== "");
}

/** Entries that cwl wrote, and sessions; the newest are kept. */
const MAX = { entries: 200, sessions: 100 };

/** The files of an entry that are gone, or hold something else now. */
export function changedOf({ files }: Pick<Piece, "files">, disk: FileStates): readonly string[] {
	return [...files].flatMap(([file, state]) => ((disk.get(file) ?? state) === state ? [] : [file]));
}

/** Returns true for an entry of cwl whose files are all gone or changed; a decision holds whatever the files are. */
export function hasChanged(entry: Pick<Piece, "at" | "text" | "files">, disk: FileStates): boolean {
	const { at, text, files } = entry;
	if (at === "" || files.size === 0 || /^Decided: /m.test(text)) return false;
	return changedOf(entry, disk).length === files.size;
}

/**
 * Returns true for an entry that no longer holds: all its files are there, with another content. Files that are gone prove nothing,
 * because a sparse checkout or an older branch may lack them.
 */
function isOutdated(entry: Pick<Piece, "at" | "text" | "files">, disk: FileStates): boolean {
	return hasChanged(entry, disk) && [...entry.files.keys()].every((file) => disk.get(file) !== GONE);
}

/**
 * Adds the episodes that ended since each session was last added; the order of the sessions does not matter. The record of a
 * memory has the sessions that were added, each up to a time.
 * @param disk the states of the files that memory and sessions name
 */
export function mergeMemory(
	given: Document | undefined,
	sessions: readonly SessionFindings[],
	disk: FileStates,
) {
	const { pieces, record: before } = given ?? parseDocument(EMPTY);
	const holding = pieces.filter((piece) => piece.type !== "entry" || !isOutdated(piece, disk));
	const known = new Set(findingsIn({ pieces: holding }).map(nameOf));
	const record = new Map(before);
	const made: string[] = [];
	const all = sessions.flatMap(({ session, findings }) => findings.map((each) => ({ session, ...each })));
	for (const { session, goal, ...finding } of all.toSorted(
		(a, b) => byTime(a, b) || (a.session < b.session ? -1 : 1),
	)) {
		if (finding.at <= (before.get(session) ?? "")) continue;
		record.set(session, finding.at);
		if (known.has(nameOf(finding)) || isOutdated(finding, disk)) continue;
		known.add(nameOf(finding));
		made.push(writeEntry({ ...finding, facts: goal === "" ? "" : `${GOAL}${goal}` }));
	}
	const last = holding.findLastIndex(({ type }) => type === "entry");
	const grown = holding.toSpliced(
		last < 0 ? holding.length : last + 1,
		0,
		...parseDocument(made.join("")).pieces,
	);
	const aged = [...record].toSorted(([, a], [, b]) => (a < b ? -1 : Number(a > b)));
	return {
		memory: { pieces: bound(grown), record: new Map(aged.slice(-MAX.sessions)) },
		added: made.length,
		removed: pieces.length - holding.length,
	};
}

function nameOf({ name, text }: Pick<Piece, "name" | "text">): string {
	return `${name}\n${keyOf(text)}`;
}

/** The oldest entries that cwl wrote leave where there are too many. */
function bound(pieces: readonly Piece[]): readonly Piece[] {
	const made = pieces.filter(({ at }) => at !== "").toSorted(byTime);
	const leaving = new Set(made.slice(0, -MAX.entries));
	return pieces.filter((piece) => !leaving.has(piece));
}
