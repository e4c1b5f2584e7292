/** Progress on stderr, with the time left: one line that a terminal overwrites, or a line now and then in a log. */

/** The time between two lines of a log, in ms. */
const LOG_INTERVAL = 5_000;

/** No time left is promised before: the first steps say little. In ms. */
const MIN_MEASURED = 3_000;

/** Returns a function to call after each step; `note` is added at the end of its line. */
export function createProgress(total: number, unit: string): (done: number, note?: string) => void {
	const started = performance.now();
	let last = started;
	return (done, note) => {
		const now = performance.now();
		const isEnd = done >= total;
		const { isTTY, columns } = process.stderr;
		if (!isTTY && !isEnd && now - last < LOG_INTERVAL) return;
		last = now;
		const line = formatProgress(done, total, unit, now - started, note);
		process.stderr.write(isTTY ? `\r\x1b[K${line.slice(0, columns - 1)}${isEnd ? "\n" : ""}` : `${line}\n`);
	};
}

/** Such as "20 of 100 kills, 50 s, about 3 min left". The time left assumes that steps take equally long, and is at least one second. */
export function formatProgress(done: number, total: number, unit: string, elapsedMs: number, note = "") {
	const leftMs = Math.max(1_000, (elapsedMs / done) * (total - done));
	const isMeasured = done > 0 && done < total && elapsedMs >= MIN_MEASURED;
	const left = isMeasured ? `about ${formatDuration(leftMs)} left` : "";
	const parts = [`${done} of ${total} ${unit}`, formatDuration(elapsedMs), left, note];
	return parts.filter((part) => part !== "").join(", ");
}

function formatDuration(ms: number): string {
	const seconds = Math.round(ms / 1_000);
	if (seconds < 120) return `${seconds} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
