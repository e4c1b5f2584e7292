/**
 * Small sessions as each agent records them, with what they are read as. Files of JSON documents hold a list of recordings;
 * in JSON Lines a line with `case` begins the next recording, and the lines behind it are its file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Recording {
	readonly format: string;
	readonly name: string;
	/** The lines of its file, as objects, or as text where they are damaged. */
	readonly lines?: readonly unknown[];
	/** The file as one document. */
	readonly document?: unknown;
	/** The outline of the session. */
	readonly reads: readonly string[];
	readonly damage?: readonly string[];
	/** Further fields of the session. */
	readonly session?: object;
}

const folder = join(import.meta.dirname, "recordings");

export const recordings: readonly Recording[] = readdirSync(folder).flatMap((file) => {
	const [format = "", ending] = file.split(".");
	const text = readFileSync(join(folder, file), "utf8");
	const found: readonly Omit<Recording, "format">[] =
		ending === "json" ? JSON.parse(text) : casesOf(text.trimEnd().split("\n"));
	return found.map((recording) => ({ format, ...recording }));
});

/** One conversation in all formats: a task, a reply that thinks, speaks and calls, its result, the last word. */
export const shortConversations = recordings.filter(({ name }) => name === "a short conversation");

function casesOf(texts: readonly string[]): Omit<Recording, "format">[] {
	const found: (Omit<Recording, "format" | "lines"> & { lines: unknown[] })[] = [];
	for (const text of texts) {
		const line = parse(text);
		const { case: name, ...expected } = Object(line);
		if (name === undefined) found.at(-1)?.lines.push(line);
		else found.push({ name, lines: [], ...expected });
	}
	return found;
}

function parse(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return line;
	}
}
