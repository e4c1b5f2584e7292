/**
 * The events of one conversation of OpenHands: a JSON list, lines, a folder with one file an event, or a line of an
 * evaluation's `output.jsonl`, which holds what became of one task with the whole session in `history` (`EvalOutput` in
 * evaluation/utils/shared.py of github.com/All-Hands-AI/OpenHands, and in benchmarks/utils/models.py of
 * github.com/OpenHands/benchmarks).
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openDamage } from "./draft.ts";
import { type Fields, fieldsOf, isFields, parseFields, textOf } from "./json.ts";
import { fileError, readEntries, readFirstLines } from "./lines.ts";
import type { Opening, SessionPlace } from "./session-reader.ts";

/** `12.json` and `event-00012-ID.json`. */
const EVENT_FILE = /^(?:(\d+)|event-(\d+)-.*)\.json$/;

/** The event files of a folder in their order, without links and pipes; empty when it is no folder of events. */
export async function listEventFiles(folder: string): Promise<readonly string[]> {
	const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
	const numbered = files.flatMap(({ name }) => {
		const [, plain, number = plain] = EVENT_FILE.exec(name) ?? [];
		return number === undefined ? [] : [{ name, number: Number(number) }];
	});
	return numbered.toSorted((a, b) => a.number - b.number).map(({ name }) => join(folder, name));
}

/**
 * The list in a document: the document itself, or what it holds under the names that exports use. Early evaluations
 * kept pairs of an action and what it led to: an event each.
 */
function findEvents(document: unknown): readonly unknown[] | undefined {
	const { history, events, trajectory } = fieldsOf(document);
	const list = [document, history, events, trajectory].find((each) => Array.isArray(each));
	return Array.isArray(list) ? list.flat() : undefined;
}

/** The first events of an opening, from which their format is recognized. */
export function firstEvents({ document, firstLines }: Opening): readonly Fields[] {
	const events = findEvents(document) ?? firstLines.map(parseFields);
	return events.slice(0, 20).filter(isFields);
}

/** Hands over each event with its line, or its place in the list or folder. */
export async function readEvents(
	{ path, isFolder, document }: Opening,
	note: (place: number, reason: string) => void,
	onEvent: (event: Fields, place: number) => void,
): Promise<void> {
	const events = findEvents(document);
	if (!events && !isFolder) {
		return await readEntries(path, note, (event, { number }) => onEvent(event, number));
	}
	const add = (event: unknown, place: number) => {
		if (isFields(event)) onEvent(event, place);
		else note(place, "no JSON object: skipped");
	};
	for (const [place, event] of (events ?? []).entries()) add(event, place);
	if (events) return;
	try {
		for (const [place, file] of (await listEventFiles(path)).entries()) {
			add(parseFields(await readFile(file, "utf8")), place);
		}
	} catch (error) {
		throw fileError(path, error);
	}
}

const EVALUATION = /^\uFEFF?\s*\{[^\n]*"instance_id"\s*:/;
/** Enough to pass damaged lines, and those of tasks that failed before they began. */
const RECOGNIZED_BY = 8;

/** Returns true for an evaluation's output that begins with `head`. Rejects with the system's error when it cannot be read. */
export async function isEvaluation(path: string, head: string): Promise<boolean> {
	if (!EVALUATION.test(head)) return false;
	const first = (await readFirstLines(path, RECOGNIZED_BY)).map(parseFields);
	return first.some((line) => line && "instance_id" in line && findEvents(line) !== undefined);
}

/**
 * The places of the sessions of an evaluation. A line may have some MB and the file GB: lines are sessions of their own,
 * each read when its turn comes. Lines without a session are damaged, or of a task that failed before it began.
 */
export async function listEvaluation(path: string) {
	const places: SessionPlace[] = [];
	const { damage, note } = openDamage(path, ":");
	await readEntries(path, note, (entry, { number, start, bytes }) => {
		if (!findEvents(entry)?.length) note(number, "no session of events: skipped");
		else {
			const name = textOf(entry.instance_id) || `line-${number}`;
			places.push({ path, line: { number, start, bytes, name } });
		}
	});
	return { places, damage };
}
