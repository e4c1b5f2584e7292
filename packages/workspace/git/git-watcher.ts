import { setTimeout as pause } from "node:timers/promises";
import { type GitStatus, readGitStatus } from "./read-status.ts";

/** Keeps the status of a work tree in memory, so that a turn rarely waits for git. */
export type StatusWatcher = ReturnType<typeof createStatusWatcher>;

export interface WatcherOptions {
	/** Milliseconds that `current` waits; default 150. */
	readonly deadlineMs?: number;
	/** Milliseconds after which git is ended; default 10,000. */
	readonly hardDeadlineMs?: number;
}

/** Starts git at once. */
export function createStatusWatcher(cwd: string, options: WatcherOptions = {}) {
	const { deadlineMs = 150, hardDeadlineMs = 10_000 } = options;
	const stop = new AbortController();
	let last: GitStatus | undefined;
	let isFresh = false;
	let changes = 0;
	let reading: Promise<void> | undefined;

	const read = async () => {
		for (let seen = -1; seen !== changes && !stop.signal.aborted; ) {
			seen = changes;
			const status = await readGitStatus(cwd, { deadlineMs: hardDeadlineMs, signal: stop.signal });
			last = isMissed(status) ? markUnanswered(last) : status;
			isFresh = seen === changes;
		}
		reading = undefined;
	};
	const start = () => {
		reading ??= read();
		return reading;
	};
	void start();
	return {
		/**
		 * Returns the status: at once if nothing has been invalidated, otherwise as soon as git answers. After `waitMs`, by
		 * default the watcher's deadline, it is the last answer, marked `pending`, or `unavailable`; git continues, and the
		 * next call may have its answer. Where git was ended without one, the mark is `unanswered`.
		 */
		current: async (waitMs = deadlineMs): Promise<GitStatus> => {
			if (!isFresh) await Promise.race([start(), pause(waitMs, undefined, { ref: false })]);
			if (isFresh && last !== undefined) return last;
			return last === undefined ? { type: "unavailable", reason: "deadline" } : markPending(last);
		},
		/** Says that files may have changed: git starts again in the background. */
		invalidate: () => {
			changes += 1;
			isFresh = false;
			void start();
		},
		/** Ends git. */
		dispose: () => stop.abort(),
	};
}

function isMissed(status: GitStatus): boolean {
	return status.type === "unavailable" && status.reason === "deadline";
}

function markPending(status: GitStatus): GitStatus {
	return status.type === "repository" ? { ...status, stale: status.stale ?? "pending" } : status;
}

function markUnanswered(last: GitStatus | undefined): GitStatus {
	if (last?.type === "repository") return { ...last, stale: "unanswered" };
	return last ?? { type: "unavailable", reason: "unanswered" };
}
