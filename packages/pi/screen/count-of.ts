/** A number with its noun: `1 pass`, `2 passes`. The plural is the singular and an s when it is left out. */
export function countOf(amount: number, one: string, many = `${one}s`): string {
	return `${amount} ${amount === 1 ? one : many}`;
}
