/** What every reader of recorded sessions answers, whatever agent recorded them. */
import type { HostMessage } from "#pi";
import type { LineSpan } from "./lines.ts";

/** A recorded line that was skipped or mended, and where it stands. */
export interface Damage {
	/** `file:line`; `file#item` where the file is one JSON document, items counted from 0. */
	readonly place: string;
	readonly reason: string;
}

export interface RecordedSummary {
	readonly text: string;
	/** When it was written, in ms since the epoch. */
	readonly timestamp: number;
	/** Index of the first message after it. */
	readonly position: number;
}

/** A line that is a session of its own. */
export interface RecordedLine extends LineSpan {
	/** What the session is called. */
	readonly name: string;
}

/** Where a session stands: a file or folder of its own, or a line of a file. */
export interface SessionPlace {
	readonly path: string;
	readonly line?: RecordedLine;
}

/** One session as pi would have held it: uncompacted, oldest message first. */
export interface RecordedSession {
	readonly path: string;
	/** The file's name without its extension. */
	readonly name: string;
	readonly format: string;
	readonly messages: readonly HostMessage[];
	readonly damage: readonly Damage[];
	/** What its own agent put in place of history that it dropped, oldest first; left out of the messages. */
	readonly summaries?: readonly RecordedSummary[];
}

/** What there is to recognise a format by. */
export interface Opening {
	readonly path: string;
	/** Whether it is a folder with one file an event. */
	readonly isFolder: boolean;
	/** The first lines that are not empty; of a folder of events, those of its first files. */
	readonly firstLines: readonly string[];
	/** The whole content, where the file is one JSON document, else undefined. */
	readonly document: unknown;
}

/** One file format. A new format is one file with one of these, listed in `registry.ts`. */
export interface SessionReader {
	readonly format: string;
	/** Whether what begins like this is in this format. Never throws. */
	recognise(opening: Opening): boolean;
	/** Read a whole session; rejects with a `CwlError` when nothing of it can be used. */
	read(opening: Opening): Promise<RecordedSession>;
	/** What the head of a JSON document in this format shows: of a folder, only such `*.json` files are opened. */
	readonly telltale?: RegExp;
}
