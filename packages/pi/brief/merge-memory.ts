/** Adds sessions to the project memory, and removes what they contradict. No model, no clock: same input, same text. */
import {
	byTime,
	type Document,
	type FileStates,
	keyOf,
	otherLines,
	type Piece,
	writeEntry,
	writeItem,
} from "./document.ts";
import type { Decision, Finding, SessionFindings } from "./session-findings.ts";

/** Sections of the file. */
const DECISIONS = "Decisions";
const FINDINGS = "Findings";

const INTRODUCTION = `# Project memory

What earlier sessions of the agent found out about this repository. cwl writes it from their episodes, without a model.
Edit it like code: your changes, your own entries and your deletions stay.
`;

/** A memory without entries; its record has the sessions that were added, each up to a time. */
export function emptyMemory(): Document {
	const sections = [DECISIONS, FINDINGS].flatMap((section) => headingOf(section));
	return { pieces: [...otherLines(INTRODUCTION), ...sections], record: new Map() };
}

type Pieces = Pick<Document, "pieces">;
const piecesIn = ({ pieces }: Pieces, wanted: Piece["type"]) => pieces.filter(({ type }) => type === wanted);
export const findingsIn = (memory: Pieces) => piecesIn(memory, "entry");
export const decisionsIn = (memory: Pieces) => piecesIn(memory, "item");

/** The newest are kept: findings and decisions that cwl wrote, and sessions. What a person wrote does not count. */
const MAX = { entry: 200, item: 100, sessions: 100 };

export type MergedMemory = ReturnType<typeof mergeMemory>;

/** Adds the episodes that ended since each session was last added; the order of the sessions does not matter. */
export function mergeMemory(given: Document | undefined, sessions: readonly SessionFindings[]) {
	const state = {
		memory: given ?? emptyMemory(),
		/** Entries that were added, and entries that were removed or lost a sentence or file. */
		added: 0,
		changed: 0,
		/** Lines and episodes that were left out because they look like secrets. */
		secrets: 0,
	};
	const placeOf = ({ end, session }: SessionFindings) => ({ at: `${end} ${session}` });
	for (const session of sessions.toSorted((a, b) => byTime(placeOf(a), placeOf(b))))
		addSession(state, session);
	return state;
}

function addSession(state: MergedMemory, session: SessionFindings) {
	const before = state.memory.record.get(session.session) ?? "";
	const isNew = ({ at }: Decision) => at > before;
	consolidate(state, session);
	const { memory } = state;
	// An entry holds as of the end of its session: that is when its files were looked at.
	const at = session.end;
	const newer = findingsIn(memory).filter((finding) => finding.at > at);
	const later = new Map(newer.toSorted(byTime).flatMap(({ files }) => [...files]));
	const findings = session.findings.filter((finding) => isNew(finding) && !isKnown(memory, finding));
	const holding = findings.flatMap((finding) => withoutChanged(finding, later) ?? []);
	const decided = new Map(session.decisions.filter(isNew).map(({ text }) => [keyOf(text), text]));
	for (const { text } of decisionsIn(memory)) decided.delete(keyOf(text));
	const made = [
		...[...decided.values()].map((text) => writeItem(DECISIONS, text, at)),
		...holding.map((finding) => writeFinding({ ...finding, at })),
	];
	state.added += made.length;
	state.secrets += session.secrets.filter(isNew).length;
	const record = new Map(memory.record);
	const last = [...session.findings, ...session.decisions, ...session.secrets].toSorted(byTime).at(-1);
	if (last && isNew(last)) record.set(session.session, last.at);
	const aged = [...record].map(([id, time]) => ({ id, at: time })).toSorted(byTime);
	state.memory = {
		pieces: bound(made.reduce(insert, memory.pieces)),
		record: new Map(aged.slice(-MAX.sessions).map((each) => [each.id, each.at])),
	};
}

function writeFinding({ name, text, at, files, goal }: Finding): Piece {
	return writeEntry({ section: FINDINGS, name, text: text.replace(/\s+/g, " "), at, files, goal });
}

/** Takes out what this session knows better: a file of an older entry that holds something else now. */
function consolidate(state: MergedMemory, { end, files }: SessionFindings) {
	const pieces = state.memory.pieces.flatMap((piece): readonly Piece[] => {
		if (piece.type !== "entry" || piece.at === "" || piece.at >= end) return [piece];
		const left = withoutChanged(piece, files);
		if (left === piece) return [piece];
		state.changed += 1;
		return left ? [writeFinding(left)] : [];
	});
	state.memory = { ...state.memory, pieces };
}

/**
 * The finding without files that hold something else now, and without the sentences that name them; undefined if nothing
 * is left that still holds. The finding itself if nothing changed.
 */
function withoutChanged<F extends Finding>(finding: F, now: FileStates): F | undefined {
	const isChanged = (file: string, state: string) => (now.get(file) ?? state) !== state;
	const changed = [...finding.files].filter(([file, state]) => isChanged(file, state)).map(([file]) => file);
	if (changed.length === 0) return finding;
	if (changed.length === finding.files.size) return undefined;
	const names = changed.flatMap((file) => [file, file.slice(file.lastIndexOf("/") + 1)]);
	const sentences = finding.text.split(/(?<=[.;!?]) /);
	const text = sentences.filter((sentence) => !names.some((name) => sentence.includes(name))).join(" ");
	const files = new Map([...finding.files].filter(([file]) => !changed.includes(file)));
	return text === "" ? undefined : { ...finding, text, files };
}

function isKnown(memory: Document, { name, text }: Finding): boolean {
	return findingsIn(memory).some((known) => known.name === name && keyOf(known.text) === keyOf(text));
}

/** After the last entry of its type in its section; a section that is missing is added at the end. */
function insert(pieces: readonly Piece[], made: Piece): readonly Piece[] {
	const isIn = (piece: Piece) => piece.section === made.section;
	const last = pieces.findLastIndex((piece) => isIn(piece) && piece.type === made.type);
	const heading = pieces.findIndex((piece) => isIn(piece) && piece.lines[0]?.startsWith("## "));
	if (last < 0 && heading < 0) return insert([...pieces, ...headingOf(made.section)], made);
	return pieces.toSpliced((last < 0 ? heading : last) + 1, 0, made);
}

function headingOf(section: string): readonly Piece[] {
	return otherLines(`\n## ${section}\n`, section);
}

/** The oldest entries that cwl wrote leave where there are too many. */
function bound(pieces: readonly Piece[]): readonly Piece[] {
	const leaving = (["entry", "item"] as const).flatMap((type) => {
		const made = pieces.filter((piece) => piece.type === type && piece.at !== "");
		return made.toSorted(byTime).slice(0, -MAX[type]);
	});
	return pieces.filter((piece) => !leaving.includes(piece));
}
