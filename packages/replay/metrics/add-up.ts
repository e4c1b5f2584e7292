/**
 * Adds two records of the same shape, number by number, through nested records and lists. Of numbers whose name begins
 * with `max` the larger one stays, and what is no number is taken from the first record.
 */
export function addUp<Figures extends object>(a: Figures, b: Figures): Figures {
	return addAny(a, b, "") as Figures;
}

function addAny(a: unknown, b: unknown, name: string): unknown {
	if (typeof a === "number" && typeof b === "number") return name.startsWith("max") ? Math.max(a, b) : a + b;
	if (Array.isArray(a) && Array.isArray(b)) return a.map((each, index) => addAny(each, b[index], ""));
	if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a;
	const other = new Map<string, unknown>(Object.entries(b));
	return Object.fromEntries(Object.entries(a).map(([key, each]) => [key, addAny(each, other.get(key), key)]));
}
