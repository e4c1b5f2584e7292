import type { Passage } from "../recording/passages.ts";

/** Where each name stands, oldest first, in the passages added so far. */
export interface NameIndex {
	add(passage: Passage): void;
	find(name: string): readonly Passage[];
}

/** Only names that will be asked for are kept: all of them would take several times the memory of the text itself. */
export function createNameIndex(
	findNames: (text: string) => ReadonlySet<string>,
	asked: ReadonlySet<string>,
): NameIndex {
	const passages = new Map<string, Passage[]>();
	return {
		add(passage) {
			for (const name of findNames(passage.text)) {
				if (!asked.has(name)) continue;
				const known = passages.get(name);
				if (known) known.push(passage);
				else passages.set(name, [passage]);
			}
		},
		find: (name) => [...(passages.get(name) ?? [])],
	};
}
