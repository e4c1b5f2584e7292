/** A session as its reader leaves it, whichever agent recorded it. */
import type { HostMessage } from "#pi/codec";
import type { OtherCall } from "#pi/session";
import type { Fields } from "./json.ts";
import type { LineSpan } from "./lines.ts";

/** A recorded line that was skipped or mended, with its place. */
export interface Damage {
	/** `file:line`; `file#item` where the file is one JSON document, items counted from 0. */
	readonly place: string;
	readonly reason: string;
}

/** A file that cannot be used, as an error names it. */
export interface Problem {
	readonly code: string;
	readonly message: string;
}

export interface RecordedSummary {
	readonly text: string;
	/** When it was written, in ms since the epoch. */
	readonly timestamp: number;
	/** Index of the first message after it. */
	readonly position: number;
	/** Index of the first message that it left in the context; at most `position`. */
	readonly firstKept: number;
}

/** The place of a session: a file or folder of its own, or a line of a file. */
export interface SessionPlace {
	readonly path: string;
	/** `name` is the display name of the session. */
	readonly line?: LineSpan & { readonly name: string };
	/** The file of the session that it was forked from, where that is replayed too: what they share counts there. */
	readonly forkOf?: string;
}

/** One session as pi would have held it: uncompacted, oldest message first. */
export interface RecordedSession {
	readonly path: string;
	/** The file's name without its extension. */
	readonly name: string;
	readonly format: string;
	/** Its own id; left out if the file holds none. */
	readonly id?: string;
	/** The folder of its workspace, on the machine that recorded it; left out if unknown. */
	readonly cwd?: string;
	/** The entries of pi's own file on the branch that was read, oldest first; empty in other formats. */
	readonly branch?: readonly (Fields & { readonly type: string })[];
	readonly messages: readonly HostMessage[];
	readonly damage: readonly Damage[];
	/** Summaries that its own agent put in place of history that it dropped, oldest first; left out of the messages. */
	readonly summaries?: readonly RecordedSummary[];
	/** Model calls of the file that neither an answer nor a summary here is of: on other branches, failed, or the agent's own. */
	readonly otherCalls?: readonly OtherCall[];
	/** The ids of the entries of compactions on other branches whose usage the file does not hold. */
	readonly otherCompactions?: readonly string[];
}
