/** Takes sessions up into the project memory, and removes what they contradict. No model, no clock: same input, same text. */
import {
	DECISIONS,
	emptyMemory,
	FINDINGS,
	type FindingEntry,
	findingsIn,
	type Memory,
	notesIn,
	type Segment,
	writeDecision,
	writeFinding,
} from "./memory.ts";
import type { Decision, FileStates, Finding, SessionFindings } from "./session-findings.ts";

/** The newest are kept: findings and decisions that cwl wrote, and sessions. What a person wrote does not count. */
const MAX = { findings: 200, decisions: 100, sessions: 100 };

export interface MergedMemory {
	readonly memory: Memory;
	/** Entries that were added, and entries that were removed or lost a sentence or file. */
	readonly added: number;
	readonly changed: number;
	/** Lines and episodes that were left out because they look like secrets. */
	readonly secrets: number;
}

/** Takes up the episodes that ended since each session was last taken up; the order of the sessions does not matter. */
export function mergeMemory(given: Memory | undefined, sessions: readonly SessionFindings[]): MergedMemory {
	const state: Merging = { memory: given ?? emptyMemory(), added: 0, changed: 0, secrets: 0 };
	const ordered = sessions.toSorted((a, b) => compare(a.end, b.end) || compare(a.session, b.session));
	for (const session of ordered) takeUp(state, session);
	return state;
}

interface Merging {
	memory: Memory;
	added: number;
	changed: number;
	secrets: number;
}

function takeUp(state: Merging, session: SessionFindings) {
	const before = state.memory.sessions.get(session.session) ?? "";
	const isNew = ({ at }: Decision) => at > before;
	consolidate(state, session);
	const findings = session.findings.filter((finding) => isNew(finding) && !isKnown(state.memory, finding));
	const newest = newestStates(state.memory);
	// An entry holds as of the end of its session: that is when its files were looked at.
	const later = newerThan(newest, session.end);
	const holding = findings
		.flatMap((finding) => withoutChanged(finding, later) ?? [])
		.map((finding) => ({ ...finding, at: session.end }));
	const decisions = session.decisions.filter(
		(decision) => isNew(decision) && !notesIn(state.memory).some(({ text }) => isSame(text, decision.text)),
	);
	let { segments } = state.memory;
	for (const decision of uniqueByText(decisions))
		segments = insert(segments, writeDecision({ ...decision, at: session.end }));
	for (const finding of holding) segments = insert(segments, writeFinding(finding));
	state.added += holding.length + uniqueByText(decisions).length;
	state.secrets += session.secrets.filter(isNew).length;
	const last = [...session.findings, ...session.decisions, ...session.secrets]
		.map(({ at }) => at)
		.toSorted()
		.at(-1);
	const sessions = new Map(state.memory.sessions);
	if (last !== undefined && last > before) {
		sessions.delete(session.session);
		sessions.set(session.session, last);
	}
	state.memory = { segments: bound(segments), sessions: newestSessions(sessions) };
}

/** Takes out what this session knows better: a file of an older entry that holds something else now. */
function consolidate(state: Merging, { end, files }: SessionFindings) {
	const segments = state.memory.segments.flatMap((segment): readonly Segment[] => {
		if (segment.type !== "finding" || segment.at === "" || segment.at >= end) return [segment];
		const left = withoutChanged(segment, files);
		if (left === segment) return [segment];
		state.changed += 1;
		return left ? [keepBlankLine(segment, writeFinding(left))] : [];
	});
	state.memory = { ...state.memory, segments };
}

/** The entry with a blank line above it if there was one before. */
function keepBlankLine(old: FindingEntry, entry: FindingEntry): FindingEntry {
	return old.lines[0] === "" ? entry : { ...entry, lines: entry.lines.slice(1) };
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

/** The state of each file as the newest entry has it. */
function newestStates(memory: Memory): ReadonlyMap<string, { readonly state: string; readonly at: string }> {
	const newest = new Map<string, { readonly state: string; readonly at: string }>();
	for (const { files, at } of findingsIn(memory)) {
		for (const [file, state] of files) if (at > (newest.get(file)?.at ?? "")) newest.set(file, { state, at });
	}
	return newest;
}

function newerThan(newest: ReturnType<typeof newestStates>, at: string): FileStates {
	return new Map([...newest].filter(([, known]) => known.at > at).map(([file, { state }]) => [file, state]));
}

function isKnown(memory: Memory, { name, text }: Finding): boolean {
	return findingsIn(memory).some((known) => known.name === name && isSame(known.text, text));
}

const normal = (text: string) =>
	text
		.toLowerCase()
		.replace(/[.!\s]+/g, " ")
		.trim();
const isSame = (one: string, other: string) => normal(one) === normal(other);

function uniqueByText(decisions: readonly Decision[]): readonly Decision[] {
	return [...new Map(decisions.map((decision) => [normal(decision.text), decision])).values()];
}

/** After the last entry of its type in its section; a section that is missing is added at the end. */
function insert(
	segments: readonly Segment[],
	entry: Segment & { readonly type: "finding" | "note" },
): readonly Segment[] {
	const heading = entry.type === "finding" ? FINDINGS : DECISIONS;
	const start = segments.findIndex(({ type, lines }) => type === "other" && lines[0].trimEnd() === heading);
	if (start < 0) return insert([...segments, other(""), other(heading), other("")], entry);
	const next = segments.findIndex(
		({ type, lines }, index) => index > start && type === "other" && /^#{1,2} /.test(lines[0]),
	);
	const section = segments.slice(0, next < 0 ? undefined : next);
	const last = section.findLastIndex(({ type }, index) => index > start && type === entry.type);
	const place = Math.max(start, last) + 1;
	const hasBlank = segments[place - 1]?.lines.at(-1)?.trim() === "";
	const isFirstNote = last < 0 && entry.type === "note";
	const lines = hasBlank && entry.lines[0] === "" ? entry.lines.slice(1) : entry.lines;
	return segments.toSpliced(place, 0, ...(isFirstNote ? [other("")] : []), { ...entry, lines });
}

function other(line: string): Segment {
	return { type: "other", lines: [line] };
}

/** The oldest entries of ours leave where there are too many. */
function bound(segments: readonly Segment[]): readonly Segment[] {
	const surplus = (type: "finding" | "note", most: number) => {
		const made = segments.filter((segment) => segment.type === type && segment.at !== "");
		const aged = made.toSorted((a, b) => compare(timeOf(a), timeOf(b)));
		return aged.slice(0, Math.max(0, aged.length - most));
	};
	const leaving = new Set([...surplus("finding", MAX.findings), ...surplus("note", MAX.decisions)]);
	return leaving.size === 0 ? segments : segments.filter((segment) => !leaving.has(segment));
}

function timeOf(segment: Segment): string {
	return segment.type === "other" ? "" : segment.at;
}

function newestSessions(sessions: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
	const aged = [...sessions].toSorted(([, a], [, b]) => compare(a, b));
	return new Map(aged.slice(-MAX.sessions));
}

function compare(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}
