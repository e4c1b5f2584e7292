/** Our entries of the session file, in a running pi. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { messageOf } from "#pi";
import { emptyLog, type GrowingLog, type LogEntries, type RestoredLog, readLogEntries } from "#pi/session";
import { tellProblem } from "../host.ts";

interface Entry {
	readonly type: string;
	readonly data: unknown;
}

export type EntryLog = ReturnType<typeof createEntryLog>;

/**
 * An entry that the disk refuses is reported, and stops nothing else: the decision holds in memory all the same. Old hosts keep
 * a refused entry in memory, and `session-file.ts` writes it; newer ones take it back, so that it has to be appended again.
 */
export function createEntryLog(pi: ExtensionAPI) {
	let refused: readonly Entry[] = [];
	let log: GrowingLog = emptyLog();
	/** True since a write failed, until one works again. */
	let isRefusing = false;

	/** Shows one notice about a disk that refuses what belongs to the session, whatever could not be written. */
	function tellRefused(ctx: ExtensionContext, error: unknown) {
		if (isRefusing) return;
		isRefusing = true;
		const problem = `the session file cannot be kept whole (${messageOf(error)}): what comes now is in memory only.`;
		const remedy = "Free the disk or allow writing: what is missing is then written.";
		const file = ctx.sessionManager.getSessionFile();
		tellProblem(ctx, "error", [problem, remedy, ...(file ? [`File: ${file}`] : [])].join(" "));
	}

	function append(ctx: ExtensionContext, entry: Entry) {
		try {
			pi.appendEntry(entry.type, entry.data);
		} catch (error) {
			if (!isKept(ctx, entry)) refused = [...refused, entry];
			throw error;
		}
	}

	/** Writes the entries that the disk refused, in their order; those that it still refuses stay for the next time. */
	function retry(ctx: ExtensionContext) {
		const waiting = refused;
		refused = [];
		for (const [index, entry] of waiting.entries()) {
			try {
				append(ctx, entry);
			} catch {
				refused = waiting.slice(index);
				return;
			}
		}
		if (waiting.length > 0) isRefusing = false;
	}

	/** Writes an entry that no decision depends on. What the disk refuses is reported once, and written later. */
	function note(ctx: ExtensionContext, type: string, data: unknown) {
		try {
			retry(ctx);
			append(ctx, { type, data });
			isRefusing = false;
		} catch (error) {
			tellRefused(ctx, error);
		}
	}

	return {
		isRefusing: () => isRefusing,
		tellRefused,
		note,
		retry,
		/** The decisions on the branch so far: all that its entries add up to, those that the disk refused included. */
		decided: (): RestoredLog => log,
		/** Writes a decision on the branch that the session is on. */
		write<K extends keyof LogEntries>(ctx: ExtensionContext, type: K, data: LogEntries[K]) {
			note(ctx, type, data);
			// As the file gives it back.
			readLogEntries([JSON.parse(JSON.stringify({ type: "custom", customType: type, data }))], log);
		},
		/** Reads the branch that the session is on now, and forgets what was refused on another one. */
		restore({ sessionManager }: ExtensionContext): RestoredLog {
			refused = [];
			log = emptyLog();
			return readLogEntries(sessionManager.getBranch(), log);
		},
	};
}

function isKept({ sessionManager }: ExtensionContext, { type, data }: Entry): boolean {
	const last = sessionManager.getBranch().at(-1);
	return last?.type === "custom" && last.customType === type && last.data === data;
}
