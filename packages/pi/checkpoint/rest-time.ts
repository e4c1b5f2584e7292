/** How long a session rested. */
const HOUR = 3_600_000;
/** A shorter rest is a break of the same work; in milliseconds. */
const MIN_GAP = 12 * HOUR;

/** The time since an ISO 8601 date in words, undefined if it is short or unknown. `now` is in milliseconds. */
export function describeGap(since: string | undefined, now: number): string | undefined {
	const gap = now - Date.parse(since ?? "");
	// NaN is no gap.
	if (!(gap >= MIN_GAP)) return undefined;
	const hours = Math.floor(gap / HOUR);
	return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
