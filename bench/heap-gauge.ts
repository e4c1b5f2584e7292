/** Measures the heap in use after a collection. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A full collection takes longer than a request, so not every request has one. */
const REQUESTS_PER_COLLECTION = 100;

/** Returns bytes, as of the last collection. */
export function createHeapGauge(): () => number {
	setFlagsFromString("--expose-gc");
	const collect: () => void = runInNewContext("gc");
	let asked = 0;
	let used = 0;
	return () => {
		if (asked % REQUESTS_PER_COLLECTION === 0) {
			collect();
			used = process.memoryUsage().heapUsed;
		}
		asked += 1;
		return used;
	};
}
