/**
 * Code that is loaded at first use, one import after the other: of two at once that lead to the same module, jiti hands
 * one a module that has not run yet, and calls that a model makes in parallel do that.
 */

let last: Promise<unknown> = Promise.resolve();

/** Load it when the imports before it have ended; what it throws is thrown here and holds up nobody. */
export function importInTurn<T>(load: () => Promise<T>): Promise<T> {
	const next = last.then(load);
	last = next.catch(() => undefined);
	return next;
}
