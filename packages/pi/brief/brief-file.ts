/** The brief of a session as a file next to the session file: where it is, what a person changed in it, and if it still fits. */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { quoteStart, visibleText } from "#core/transcript";
import { CwlError, messageOf } from "../errors.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";
import type { Steering } from "../session/log-entries.ts";
import { readValue } from "../settings/schema.ts";
import { onOneLine } from "./document.ts";
import { addConstraint, readStateText, stateOf } from "./goal-and-constraints.ts";
import { parseDocument } from "./read-document.ts";

export const TITLE = "Session brief";
/** The sections of a brief. */
export const sections = {
	state: "State",
	episodes: "Episodes",
	files: "Files",
	health: "Context health",
	data: "State as JSON",
} as const;

/** The parts of the state by their headings. */
export const headings = {
	goal: "Goal",
	task: "Task",
	constraints: "Constraints",
	todo: "To do",
	decisions: "Decisions",
	openIssues: "Open issues",
} as const;
export type Part = keyof typeof headings;
const partNames = Object.keys(headings) as readonly Part[];
export const listNames = ["todo", "decisions", "openIssues"] as const;
export type ListName = (typeof listNames)[number];
export const NOTED = " (noted by the agent)";

/** By list: what descriptions say with marked lines. */
export type Lists = Readonly<Record<ListName, readonly string[]>>;

/** The newest are kept of each list. */
export const MAX_LINES = 40;
/** Characters; a description is sent with every request once its episode is evicted. */
export const MAX_DESCRIPTION_LENGTH = 2_000;

/** What a person changed in the file, and its record. Settings, lists and descriptions that were left alone are absent. */
export interface BriefEdits {
	/** Goal, task and constraints. */
	readonly steering: Steering;
	readonly lists: Partial<Lists>;
	/** By heading. */
	readonly descriptions: ReadonlyMap<string, string>;
	/** The section of that name, and sections of the person's own, as they are. */
	readonly health: string;
	readonly others: string;
	readonly record: ReadonlyMap<string, string>;
}

export const noEdits: BriefEdits = {
	...{ steering: {}, lists: {}, descriptions: new Map() },
	...{ health: "", others: "", record: new Map() },
};

/**
 * Reads a brief back, and the session notes of earlier versions.
 * @param episodes headings that may be in the file; any without them
 * @throws CwlError `bad-brief` naming the line that cannot be read, others for texts that are too long
 */
export function readBriefEdits(text: string, episodes?: ReadonlyMap<string, unknown>): BriefEdits {
	const isNotes = /^\uFEFF?# Session notes/.test(text);
	const parsed = parseDocument(
		isNotes ? text.replace(/^## Goal\s*$/m, `## ${sections.state}\n### Goal`) : text,
		"brief",
	);
	if (parsed.type === "refused") throw badBrief(parsed.reason);
	if (parsed.isInConflict) throw badBrief(parsed.problems[0] ?? "");
	const parts: Partial<Record<Part, string>> = {};
	const descriptions = new Map<string, string>();
	const others: string[] = [];
	const health: string[] = [];
	let line = isNotes ? 0 : 1;
	for (const piece of parsed.pieces) {
		const { section, lines } = piece;
		const isOurs = ["", sections.state, sections.episodes].includes(section);
		if (section === sections.health) health.push(...lines);
		else if (!isOurs) {
			if (![TITLE, "Session notes", sections.files, sections.data].includes(section)) others.push(...lines);
		} else if (piece.type === "entry") {
			const part = partNames.find((name) => headings[name] === piece.name);
			if (section === sections.episodes && (episodes?.has(piece.name) ?? true)) {
				if (piece.isEdited) descriptions.set(piece.name, piece.text);
			} else if (section === sections.state && part) {
				if (piece.isEdited) parts[part] = piece.text;
			} else throw badBrief(`line ${line}: nothing has the heading ${quoteStart(piece.name, 80)}.`);
		} else if (lines[0]?.trim() !== "" && !lines[0]?.startsWith("## ")) {
			throw badBrief(`line ${line}: this text belongs to no heading.`);
		}
		line += lines.length;
	}
	return {
		...{ ...editsOf(parts), descriptions, record: parsed.record },
		...{ health: health.join("\n").trim(), others: others.join("\n").trim() },
	};
}

function badBrief(found: string): CwlError {
	return new CwlError(
		"bad-brief",
		`the brief cannot be read, ${found} Mend or remove the file; nothing was taken from it.`,
	);
}

/** @throws CwlError for texts that are too long */
function editsOf(parts: Partial<Readonly<Record<Part, string>>>): Pick<BriefEdits, "steering" | "lists"> {
	const { goal, task, constraints } = parts;
	const lines = itemsOf(constraints ?? "");
	const users = lines.filter((line) => !line.endsWith(NOTED));
	const noted = lines.filter((line) => line.endsWith(NOTED)).map((line) => line.slice(0, -NOTED.length));
	const lists = listNames.filter((name) => parts[name] !== undefined);
	return {
		steering: {
			...(goal !== undefined && { goal: readValue("goal", goal), doneGoal: "" }),
			...(task !== undefined && { task: readStateText("task", task) }),
			...(constraints !== undefined && {
				constraints: users.reduce<readonly string[]>((all, line) => addConstraint(all, line), []),
				notedConstraints: stateOf({ notedConstraints: noted }).notedConstraints,
			}),
		},
		lists: Object.fromEntries(lists.map((name) => [name, itemsOf(parts[name] ?? "")])),
	};
}

function itemsOf(text: string): readonly string[] {
	const lines = text.split("\n").map((line) => line.replace(/^\s*[-*] /, "").trim());
	return lines.filter((line) => line !== "");
}

/** The session that a brief is from, the id of its last message and when it was saved, as the file has it. */
export function briefRecord(session: string, cwd: string, last: string, saved: string) {
	return new Map(
		Object.entries({ session, cwd, last, saved }).map(([key, value]) => [key, onOneLine(value)]),
	);
}

/** Next to the session file, so that no repository sees it. */
export function briefPath(sessionFile: string): string {
	return besides(sessionFile, "brief.md");
}

function besides(sessionFile: string, name: string): string {
	return `${sessionFile.replace(/\.jsonl$/, "")}.${name}`;
}

/**
 * The text of a session's brief, or of its notes by an earlier version; undefined when there is neither.
 * @throws CwlError `bad-brief` when the file cannot be read
 */
export function readBrief(sessionFile: string): string | undefined {
	const readOne = (path: string) => {
		try {
			return readTextFile(path);
		} catch (error) {
			throw new CwlError("bad-brief", `${path} cannot be read (${messageOf(error)}).`);
		}
	};
	return readOne(briefPath(sessionFile)) ?? readOne(besides(sessionFile, "notes.md"));
}

/**
 * Writes it in one step.
 * @throws CwlError `bad-brief` when it cannot be written
 */
export async function writeBrief(sessionFile: string, text: string): Promise<void> {
	const path = briefPath(sessionFile);
	try {
		replaceTextFile(path, text);
	} catch (error) {
		throw new CwlError("bad-brief", `${path} cannot be written (${messageOf(error)}).`);
	}
}

type Entry = { readonly type: string; readonly id?: unknown };

/** Ids of the messages of a branch, oldest first. */
export function messageIds(branch: readonly Entry[]): readonly string[] {
	return branch.flatMap(({ type, id }) => (type === "message" && typeof id === "string" ? [id] : []));
}

/** The session that a brief is loaded for. */
export interface ExpectedSession {
	readonly id: string;
	readonly cwd: string;
	readonly branch: readonly Entry[];
}

export type LoadedBrief =
	| { readonly type: "none" }
	| {
			readonly type: "loaded";
			readonly file: string;
			readonly savedAt: string;
			/** Goal, task and constraints that a person changed in the file. */
			readonly steering: Steering;
			readonly lists: Partial<Lists>;
	  }
	/** The reason has the file, what was found and the remedy. */
	| { readonly type: "refused"; readonly file: string; readonly reason: string };

/**
 * Loads what a fresh session starts from: the brief, or the checkpoint of an earlier version. Never throws: what cannot be
 * used is refused with a reason.
 */
export function loadBrief(sessionFile: string, expected: ExpectedSession): LoadedBrief {
	const sources = [
		[briefPath(sessionFile), readBriefEdits],
		[besides(sessionFile, "checkpoint.json"), readOldCheckpoint],
	] as const;
	for (const [file, read] of sources) {
		try {
			const text = readTextFile(file);
			if (text === undefined) continue;
			const edits = read(text);
			const misfit = findMisfit(edits.record, expected);
			if (misfit)
				return {
					type: "refused",
					file,
					reason: `${file}: ${misfit}; write it again with /cwl brief sync, or remove the file.`,
				};
			const { steering, lists, record } = edits;
			return { type: "loaded", file, savedAt: record.get("saved") ?? "", steering, lists };
		} catch (error) {
			return { type: "refused", file, reason: `${file}: ${messageOf(error)}` };
		}
	}
	return { type: "none" };
}

/** The first key of a record that does not fit a session, with the remedy; undefined if all do. */
function findMisfit(
	record: ReadonlyMap<string, string>,
	{ id, cwd, branch }: ExpectedSession,
): string | undefined {
	const show = (value: string | undefined) => (value === undefined ? "missing" : quoteStart(value, 80));
	for (const [key, value] of Object.entries({ session: id, cwd })) {
		const found = record.get(key);
		if (found !== onOneLine(value))
			return `${key} is ${show(found)}, not ${show(value)}; it belongs elsewhere`;
	}
	const messages = messageIds(branch);
	const last = record.get("last");
	const since = messages.length - 1 - messages.indexOf(last ?? "");
	if (since === messages.length) return `last is ${show(last)}, which is not on this branch of the session`;
	return since > 0 ? `stale: the session has ${since} messages after ${show(last)}` : undefined;
}

const Lines = Type.Array(Type.String());
/** The parts that are read of a checkpoint of an earlier version. */
const OldCheckpoint = Type.Object({
	version: Type.Literal(1),
	...{ session: Type.String(), cwd: Type.String(), last: Type.String(), savedAt: Type.String() },
	...{ goal: Type.String(), current: Type.Object({ task: Type.String() }) },
	...{ todo: Lines, decisions: Lines, openIssues: Lines },
	constraints: Type.Object({ user: Lines, noted: Lines }),
});

function readOldCheckpoint(text: string): BriefEdits {
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch (error) {
		throw badBrief(`not valid JSON (${visibleText(messageOf(error))}).`);
	}
	if (!Check(OldCheckpoint, data)) throw badBrief("it is no checkpoint as an earlier version wrote it.");
	const { session, cwd, last, savedAt, goal, current, constraints } = data;
	const noted = constraints.noted.map((line) => `${line}${NOTED}`);
	return {
		...noEdits,
		...editsOf({
			...{ ...(goal !== "" && { goal }), task: current.task },
			constraints: [...constraints.user, ...noted].join("\n"),
			...Object.fromEntries(listNames.map((name) => [name, data[name].join("\n")])),
		}),
		record: briefRecord(session, cwd, last, savedAt),
	};
}
