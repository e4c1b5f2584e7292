/** The brief of a session as a file next to the session file: where it is, and if it still fits. */
import { countOf, quoteStart } from "#basics";
import type { Episode } from "#core/graph";
import { messageOf, refusal } from "../errors.ts";
import { readTextFile, replaceTextFile } from "../files/text-file.ts";
import { gitIn, headingsOf, readBriefEdits } from "./brief-text.ts";
import { onOneLine } from "./document.ts";
import { parseDocument } from "./read-document.ts";

/** Next to the session file, so that no repository sees it. */
export function briefPath(sessionFile: string): string {
	return `${sessionFile.replace(/\.jsonl$/, "")}.brief.md`;
}

/** The text of a session's brief; undefined without one. @throws CwlError when the file cannot be read */
export function readBrief(sessionFile: string): string | undefined {
	const path = briefPath(sessionFile);
	return namingFile(path, "read", () => readTextFile(path));
}

/** Writes it in one step. @throws CwlError when it cannot be written */
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
	const last = parseDocument(text).record.get("last");
	return last !== undefined && !messageIds(branch).includes(last);
}

/** The session that a brief is loaded for. */
export interface ExpectedSession {
	readonly id: string;
	readonly cwd: string;
	readonly branch: readonly Entry[];
	/** True for the session that is open: its end writes an older brief again. */
	readonly isOpen?: boolean;
	/** The episodes, if the edits are wanted. */
	readonly episodes?: readonly Episode[];
}

export type LoadedBrief = NonNullable<ReturnType<typeof loadBrief>>;

/**
 * Loads the brief that a fresh session starts from; undefined without one. Never throws: a brief that cannot be used has no edits
 * and a problem, with the file, what was found and the remedy. `savedAt` is in ISO 8601.
 */
export function loadBrief(sessionFile: string, expected: ExpectedSession) {
	const file = briefPath(sessionFile);
	try {
		const text = readTextFile(file);
		if (text === undefined) return undefined;
		const { record } = parseDocument(text);
		const misfit = findMisfit(record, expected);
		if (misfit) throw refusal(`${misfit}; write it again with /cwl brief sync, or remove the file.`);
		const edits = expected.episodes && readBriefEdits(text, headingsOf(expected.episodes));
		return { file, savedAt: record.get("saved") ?? "", problem: null, edits, git: gitIn(record) };
	} catch (error) {
		const problem = `${file}: ${messageOf(error)}`;
		return { file, savedAt: null, problem, edits: undefined, git: undefined };
	}
}

/** The first key of a record that does not fit a session, with the remedy; undefined if all do. */
function findMisfit(
	record: ReadonlyMap<string, string>,
	{ id, cwd, branch, isOpen = false }: ExpectedSession,
): string | undefined {
	const show = (value: string | undefined) => (value === undefined ? "missing" : quoteStart(value, 80));
	const [key, value] =
		Object.entries({ session: id, cwd }).find(([key, value]) => record.get(key) !== onOneLine(value)) ?? [];
	if (key !== undefined)
		return `its ${key} is ${show(record.get(key))}, not ${show(value)}, so it belongs elsewhere`;
	const messages = messageIds(branch);
	const last = record.get("last");
	const since = messages.length - 1 - messages.indexOf(last ?? "");
	if (since === messages.length)
		return `its last message, ${show(last)}, is not on this branch of the session`;
	return since > 0 && !isOpen ? `it is ${countOf(since, "message")} older than the session` : undefined;
}
