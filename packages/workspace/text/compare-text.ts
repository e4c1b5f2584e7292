/** Compares by UTF-16 code unit: the same order on every machine, unlike a locale's. */
export function compareText(left: string, right: string): number {
	if (left === right) return 0;
	return left < right ? -1 : 1;
}
