/** Measures the heap in use after a collection. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns bytes, typed arrays included. */
export function measureHeap(): number {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}
