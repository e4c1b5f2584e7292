/** A record as its owner extends it in place, one level deep; everyone else reads `T`. */
export type Growing<T> = { -readonly [K in keyof T]: Grown<T[K]> };

type Grown<V> =
	V extends ReadonlyMap<infer K, infer E>
		? Map<K, E>
		: V extends ReadonlySet<infer E>
			? Set<E>
			: V extends readonly (infer E)[]
				? E[]
				: V;

/** Adds a value to the list of its key. */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
	const known = lists.get(key);
	if (known) known.push(value);
	else lists.set(key, [value]);
}
