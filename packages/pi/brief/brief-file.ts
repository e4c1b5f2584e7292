/** The brief of a session as a file next to the session file: where it is, and if it still fits. */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { quoteStart } from "#core/transcript";
import { messageOf, refusal } from "../errors.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";
import { type BriefEdits, badBrief, briefRecord, editsOf, listNames, readBriefEdits } from "./brief-text.ts";
import { onOneLine } from "./document.ts";
import { constraintLines } from "./goal-and-constraints.ts";

/** Next to the session file, so that no repository sees it. */
export function briefPath(sessionFile: string): string {
	return besides(sessionFile, "brief.md");
}

function besides(sessionFile: string, name: string): string {
	return `${sessionFile.replace(/\.jsonl$/, "")}.${name}`;
}

/**
 * The text of a session's brief, or of its notes by an earlier version; undefined when there is neither.
 * @throws CwlError when the file cannot be read
 */
export function readBrief(sessionFile: string): string | undefined {
	const readOne = (path: string) => namingFile(path, "read", () => readTextFile(path));
	return readOne(briefPath(sessionFile)) ?? readOne(besides(sessionFile, "notes.md"));
}

/**
 * Writes it in one step.
 * @throws CwlError when it cannot be written
 */
export async function writeBrief(sessionFile: string, text: string): Promise<void> {
	const path = briefPath(sessionFile);
	namingFile(path, "written", () => replaceTextFile(path, text));
}

function namingFile<T>(path: string, done: "read" | "written", act: () => T): T {
	try {
		return act();
	} catch (error) {
		throw refusal(`${path} cannot be ${done} (${messageOf(error)}).`);
	}
}

type Entry = { readonly type: string; readonly id?: unknown };

/** Ids of the messages of a branch, oldest first. */
export function messageIds(branch: readonly Entry[]): readonly string[] {
	return branch.flatMap(({ type, id }) => (type === "message" && typeof id === "string" ? [id] : []));
}

/** Returns true for a brief that was written on another branch. @throws CwlError */
export function isOfOtherBranch(text: string, branch: readonly Entry[]): boolean {
	const last = readBriefEdits(text).record.get("last");
	return last !== undefined && !messageIds(branch).includes(last);
}

/** The session that a brief is loaded for. */
export interface ExpectedSession {
	readonly id: string;
	readonly cwd: string;
	readonly branch: readonly Entry[];
}

export type LoadedBrief = NonNullable<ReturnType<typeof loadBrief>>;

/**
 * Loads what a fresh session starts from: the brief, or the checkpoint of an earlier version; undefined without any. Never
 * throws: what cannot be used has no edits and a problem, with the file, what was found and the remedy. `savedAt` is in ISO 8601.
 */
export function loadBrief(sessionFile: string, expected: ExpectedSession) {
	const sources = [
		[briefPath(sessionFile), readBriefEdits],
		[besides(sessionFile, "checkpoint.json"), readOldCheckpoint],
	] as const;
	for (const [file, read] of sources) {
		try {
			const text = readTextFile(file);
			if (text === undefined) continue;
			const { record, steering, lists } = read(text);
			const misfit = findMisfit(record, expected);
			const remedy = "write it again with /cwl brief sync, or remove the file";
			if (misfit) throw refusal(`${misfit}; ${remedy}.`);
			return { file, savedAt: record.get("saved") ?? "", problem: null, steering, lists };
		} catch (error) {
			const problem = `${file}: ${messageOf(error)}`;
			return { file, savedAt: null, problem, steering: {}, lists: {} };
		}
	}
	return undefined;
}

/** The first key of a record that does not fit a session, with the remedy; undefined if all do. */
function findMisfit(
	record: ReadonlyMap<string, string>,
	{ id, cwd, branch }: ExpectedSession,
): string | undefined {
	const show = (value: string | undefined) => (value === undefined ? "missing" : quoteStart(value, 80));
	const [key, value] =
		Object.entries({ session: id, cwd }).find(([key, value]) => record.get(key) !== onOneLine(value)) ?? [];
	if (key !== undefined)
		return `${key} is ${show(record.get(key))}, not ${show(value)}; it belongs elsewhere`;
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

function readOldCheckpoint(text: string): Pick<BriefEdits, "record" | "steering" | "lists"> {
	const data: unknown = JSON.parse(text);
	if (!Check(OldCheckpoint, data)) throw badBrief("it is no checkpoint as an earlier version wrote it.");
	const { session, cwd, last, savedAt, goal, current, constraints } = data;
	const { user, noted } = constraints;
	return {
		...editsOf({
			...{ ...(goal !== "" && { goal }), task: current.task },
			constraints: constraintLines({ task: "", constraints: user, notedConstraints: noted }).join("\n"),
			...Object.fromEntries(listNames.map((name) => [name, data[name].join("\n")])),
		}),
		record: briefRecord(session, cwd, last, savedAt),
	};
}
