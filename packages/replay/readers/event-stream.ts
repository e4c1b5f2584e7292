/** The events of one conversation: a JSON list, lines, or a folder with one file an event, as OpenHands keeps them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEntries } from "./entries.ts";
import { fileError } from "./file-error.ts";
import { type Fields, isFields, parseFields } from "./json.ts";
import { fieldsOf } from "./parts.ts";
import type { Opening } from "./session-reader.ts";

/** `12.json` and `event-00012-ID.json`. */
const EVENT_FILE = /^(?:(\d+)|event-(\d+)-.*)\.json$/;

/** The event files of a folder in their order, without links and pipes; empty when it is no folder of events. */
export async function listEventFiles(folder: string): Promise<readonly string[]> {
	const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
	const numbered = files.flatMap(({ name }) => {
		const [, plain, inName] = EVENT_FILE.exec(name) ?? [];
		const number = plain ?? inName;
		return number === undefined ? [] : [{ name, number: Number(number) }];
	});
	return numbered.toSorted((a, b) => a.number - b.number).map(({ name }) => join(folder, name));
}

/**
 * The list in a document: the document itself, or what it holds under the names that exports use. Early evaluations
 * kept pairs of an action and what it led to: an event each.
 */
export function findEvents(document: unknown): readonly unknown[] | undefined {
	const { history, events, trajectory } = fieldsOf(document);
	const list = [document, history, events, trajectory].find((each) => Array.isArray(each));
	return Array.isArray(list) ? list.flat() : undefined;
}

/** The first events of an opening, to recognize their format by. */
export function firstEvents({ document, firstLines }: Opening): readonly Fields[] {
	const events = findEvents(document) ?? firstLines.map(parseFields);
	return events.slice(0, 20).filter(isFields);
}

/** Returns true if the events are items of a document, false if they are lines or files. */
export function isList({ document }: Opening): boolean {
	return findEvents(document) !== undefined;
}

/** Hand over each event with its line, or its place in the list or folder. */
export async function readEvents(
	opening: Opening,
	note: (place: number, reason: string) => void,
	onEvent: (event: Fields, place: number) => void,
): Promise<void> {
	const events = findEvents(opening.document);
	if (events) {
		for (const [place, event] of events.entries()) {
			if (isFields(event)) onEvent(event, place);
			else note(place, "no JSON object: skipped");
		}
		return;
	}
	if (opening.isFolder) await readFolder(opening.path, note, onEvent);
	else await readEntries(opening.path, note, onEvent);
}

async function readFolder(
	folder: string,
	note: (place: number, reason: string) => void,
	onEvent: (event: Fields, place: number) => void,
) {
	try {
		for (const [place, file] of (await listEventFiles(folder)).entries()) {
			const event = parseFields(await readFile(file, "utf8"));
			if (event) onEvent(event, place);
			else note(place, "no JSON object: skipped");
		}
	} catch (error) {
		throw fileError(folder, error);
	}
}
