/** The branch of a session file whose entries form a tree by their ids. */

export interface TreeEntry {
	/** Its place in the file. */
	readonly place: number;
	readonly id: string;
	/** The id of its parent; null for a root, and undefined for the entry before it in the file, whatever it is called. */
	readonly parent: string | null | undefined;
}

/**
 * The entries on the way from the one at this index to its root, newest first. Where a parent was on a damaged line, the entry
 * before it in the file is the best guess; a circle is followed once.
 */
export function traceBranch<Entry extends TreeEntry>(
	entries: readonly Entry[],
	last: number,
	noteAt: (place: number, reason: string) => void = () => {},
): ReadonlySet<Entry> {
	// Of two entries with one id, the earlier one is the parent.
	const indexes = new Map(entries.map(({ id }, index) => [id, index] as const).reverse());
	const branch = new Set<Entry>();
	let index = last;
	for (let entry = entries[index]; entry && !branch.has(entry); entry = entries[index]) {
		const { place, parent } = entry;
		branch.add(entry);
		if (parent === null) break;
		const known = parent === undefined ? index - 1 : indexes.get(parent);
		if (known === undefined && index > 0)
			noteAt(place, `parent ${JSON.stringify(parent)} not found: joined to the entry before it`);
		index = known ?? index - 1;
	}
	return branch;
}
