/** Names and shingles of items, for policies that read texts; made once for each item. Without texts, digests stand in for them. */
import { FNV1A_START, fnv1a, fnv1aStep } from "../fnv1a.ts";
import { findFileNames, findIdentifiers } from "../transcript/names.ts";
import { digestOf, type Item } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";

type Texts = Pick<PlanInput, "textOf">;
type Marks = ReadonlySet<string | number>;

const knownNames = new WeakMap<Item, Marks>();
const knownShingles = new WeakMap<Item, Marks>();

/** The text of an item; "" where the host gives none. */
export function textOf({ textOf }: Texts, item: Item): string {
	return textOf?.(item) ?? "";
}

/** File names and identifiers that an item mentions. */
export function namesIn(texts: Texts, item: Item): Marks {
	return remember(knownNames, texts, item, {
		ofText: (text) => new Set([...findFileNames(text), ...findIdentifiers(text)]),
		ofDigest: ({ names = [], paths }) => new Set<string | number>([...names, ...paths]),
	});
}

/** Hashes of an item's runs of four words, or of its lines. */
export function shinglesIn(texts: Texts, item: Item): Marks {
	return remember(knownShingles, texts, item, {
		ofText: hashShingles,
		ofDigest: ({ lines }) => new Set(lines),
	});
}

interface Readers {
	readonly ofText: (text: string) => Marks;
	readonly ofDigest: (digest: NonNullable<ReturnType<typeof digestOf>>) => Marks;
}

function remember(known: WeakMap<Item, Marks>, texts: Texts, item: Item, { ofText, ofDigest }: Readers) {
	const earlier = known.get(item);
	if (earlier) return earlier;
	const digest = item.type === "call" || item.type === "result" ? digestOf(item) : undefined;
	const text = texts.textOf?.(item);
	const marks = text === undefined ? digest && ofDigest(digest) : ofText(text);
	if (marks) known.set(item, marks);
	return marks ?? new Set<string>();
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
