/** The sum of the values of a list, or of what `of` makes of each one. */
export function sum(values: Iterable<number>): number;
export function sum<T>(list: Iterable<T>, of: (each: T) => number): number;
export function sum<T>(list: Iterable<T>, of: (each: T) => number = Number): number {
	let total = 0;
	for (const each of list) total += of(each);
	return total;
}
