/** A timer for the moment when the provider's cache expires in a pause: from then on another pass comes next. It keeps no process alive. */

/** The longest wait that a timer of Node keeps, in ms. */
const MAX_WAIT = 2 ** 31 - 1;

export function createCacheTimer() {
	let timer: NodeJS.Timeout | undefined;
	return {
		/** Runs `work` right after a time in ms, unless this is past, or the timer is set again or cleared before. */
		set(time: number, work: () => Promise<void>) {
			clearTimeout(timer);
			const wait = time + 1 - Date.now();
			if (wait <= 0 || wait > MAX_WAIT) return;
			// The session may be closed by then, and the next request reports a fault that lasts.
			timer = setTimeout(() => void work().catch(() => undefined), wait).unref();
		},
		clear: () => clearTimeout(timer),
	};
}
