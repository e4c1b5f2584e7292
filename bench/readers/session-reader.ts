/** What every reader of recorded sessions answers, whatever agent recorded them. */
import type { HostMessage } from "../../packages/host/host-message.ts";

/** A recorded line that was skipped or mended, and where it stands. */
export interface Damage {
	/** `file:line`. */
	readonly place: string;
	readonly reason: string;
}

export interface RecordedSummary {
	readonly text: string;
	/** When it was written, in ms since the epoch. */
	readonly timestamp: number;
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

/** One file format. A new format is one file with one of these, listed in `registry.ts`. */
export interface SessionReader {
	readonly format: string;
	/** Whether a file that begins with these lines is in this format. Never throws. */
	recognise(firstLines: readonly string[]): boolean;
	/** Read a whole session; rejects with a `CwlError` when nothing of it can be used. */
	read(path: string): Promise<RecordedSession>;
}
