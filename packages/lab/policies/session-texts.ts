/** The texts behind a session's items, for policies that read; the engine's own items hold none. */
import { FNV1A_START, fnv1a, fnv1aStep, type Graph, type Item } from "#core";
import { findFileNames, findIdentifiers, type HostMessage } from "#pi";
import { readPassages } from "../recording/passages.ts";

export interface SessionTexts {
	textOf(graph: Graph, item: Item): string;
	/** File names and identifiers that an item mentions, looked for once. */
	namesOf(graph: Graph, item: Item): ReadonlySet<string>;
	/** Hashes of an item's runs of four words, made once. */
	shinglesOf(graph: Graph, item: Item): ReadonlySet<number>;
}

/** `read` answers the message of an index. */
export function createSessionTexts(read: (message: number) => HostMessage | undefined): SessionTexts {
	const textOf = (graph: Graph, item: Item) => {
		const message = read(item.message);
		const block = graph.messages[item.message]?.items.indexOf(item) ?? 0;
		return (message && readPassages(message, item.message)[block]?.text) ?? "";
	};
	const names = remember((text) => new Set([...findFileNames(text), ...findIdentifiers(text)]));
	const shingles = remember(hashShingles);
	return {
		textOf,
		namesOf: (graph, item) => names(graph, item, textOf),
		shinglesOf: (graph, item) => shingles(graph, item, textOf),
	};
}

function remember<Value>(make: (text: string) => Value) {
	const known = new Map<string, Value>();
	return (graph: Graph, item: Item, textOf: SessionTexts["textOf"]): Value => {
		const earlier = known.get(item.id);
		if (earlier !== undefined) return earlier;
		const value = make(textOf(graph, item));
		known.set(item.id, value);
		return value;
	};
}

const SHINGLE = 4;

/** Runs of four words (Broder's shingles), each hashed with FNV-1a. */
function hashShingles(text: string): ReadonlySet<number> {
	const words = (text.match(/\w+/g) ?? []).map(fnv1a);
	const shingles = new Set<number>();
	for (let i = 0; i + SHINGLE <= words.length; i++) {
		let hash = FNV1A_START;
		for (let j = i; j < i + SHINGLE; j++) hash = fnv1aStep(hash, words[j] ?? 0);
		shingles.add(hash);
	}
	return shingles;
}
