/** Returns true for a number of tokens, characters or ms as an entry of ours can hold it. */
export function isCount(value: unknown): value is number {
	return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
