/** Progress of a long run on stderr with the time left, and a clean stop on Ctrl-C. */

/** Lines that are not on a terminal come at most this often, in ms. */
const MIN_PAUSE_MS = 5_000;

export interface Progress {
	readonly done: number;
	readonly total: number;
	/** Plural noun for the steps, such as "kills". */
	readonly unit: string;
	readonly elapsedMs: number;
	/** Further words at the end of the line. */
	readonly note?: string;
}

/** Such as "20 of 100 kills, 50 s, about 3 min left". The time left assumes that steps take equally long. */
export function formatProgress({ done, total, unit, elapsedMs, note }: Progress): string {
	const leftMs = done > 0 ? (elapsedMs / done) * (total - done) : 0;
	const left = done > 0 && done < total ? [`about ${formatDuration(leftMs)} left`] : [];
	const notes = note === undefined ? [] : [note];
	return [`${done} of ${total} ${unit}`, formatDuration(elapsedMs), ...left, ...notes].join(", ");
}

function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1_000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** Returns a function to call after each step. A terminal shows one line that is rewritten. */
export function createProgress(total: number, unit: string): (done: number, note?: string) => void {
	const started = performance.now();
	let last = Number.NEGATIVE_INFINITY;
	return (done, note) => {
		const elapsedMs = performance.now() - started;
		const isEnd = done >= total;
		const { isTTY } = process.stderr;
		if (!isTTY && !isEnd && elapsedMs - last < MIN_PAUSE_MS) return;
		last = elapsedMs;
		const line = formatProgress({ done, total, unit, elapsedMs, ...(note !== undefined && { note }) });
		process.stderr.write(isTTY ? `\r\x1b[K${line}${isEnd ? "\n" : ""}` : `${line}\n`);
	};
}

export interface Interrupt {
	readonly signal: AbortSignal;
	/** Leaves Ctrl-C to its default again. */
	readonly release: () => void;
}

/** The exit code of a program that Ctrl-C stopped. */
export const INTERRUPTED = 130;

/** The first Ctrl-C aborts the signal, so that the run can print the figures it has; a second one ends the process. */
export function catchInterrupt(): Interrupt {
	const stop = new AbortController();
	const abort = () => {
		process.stderr.write("\nStopping after the step in progress; press Ctrl-C again to stop at once.\n");
		stop.abort();
	};
	process.once("SIGINT", abort);
	return { signal: stop.signal, release: () => void process.off("SIGINT", abort) };
}
