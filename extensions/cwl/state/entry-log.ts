/** Our entries of the session file, in a running pi. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { createLogWriter, type LogWriter } from "#pi";
import { tellProblem } from "../notice.ts";

export interface EntryLog {
	/** Writes decisions on the branch that a session is on. */
	open(ctx: ExtensionContext): LogWriter;
	/** Writes the entries that the disk refused, in their order; those that it still refuses stay for the next time. */
	retry(ctx: ExtensionContext): void;
	/** Forgets what was refused, as before another branch. */
	forget(): void;
}

interface Entry {
	readonly type: string;
	readonly data: unknown;
}

/**
 * An entry that the disk refuses is reported, and stops nothing else. Old hosts keep a refused entry in memory, and
 * `session-file.ts` writes it; newer ones take it back, so that it has to be appended again.
 */
export function createEntryLog(pi: ExtensionAPI): EntryLog {
	let refused: readonly Entry[] = [];

	function append(ctx: ExtensionContext, entry: Entry) {
		try {
			pi.appendEntry(entry.type, entry.data);
		} catch (error) {
			if (!isKept(ctx, entry)) refused = [...refused, entry];
			throw error;
		}
	}

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
	}

	return {
		open: (ctx) =>
			createLogWriter(
				(type, data) => {
					retry(ctx);
					append(ctx, { type, data });
				},
				(what, reason) =>
					tellProblem(ctx, "error", `${what} could not be written to the session file (${reason}).`),
			),
		retry,
		forget() {
			refused = [];
		},
	};
}

function isKept({ sessionManager }: ExtensionContext, { type, data }: Entry): boolean {
	const last = sessionManager.getBranch().at(-1);
	return last?.type === "custom" && last.customType === type && last.data === data;
}
