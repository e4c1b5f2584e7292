/**
 * The texts of items, for policies that read them: the names and word runs of each, which outputs are alike, and
 * which candidates later replies referred to. Without texts, digests stand in for them.
 */
import { append, FNV1A_START, fnv1a, fnv1aStep, sum } from "#basics";
import { removedBy } from "../log/whole-calls.ts";
import { findFileNames, findIdentifiers } from "../transcript/names.ts";
import { digestOf, type Item, type ItemId, type ToolCall } from "../transcript/transcript.ts";
import type { PlanInput } from "./policy.ts";
import { type Candidate, requestsSince, type Scene, type Unit } from "./units.ts";

type Texts = Pick<PlanInput, "textOf">;
type Marks = ReadonlySet<string | number>;

/** The text of an item; "" where the host gives none. */
export function textOf({ textOf }: Texts, item: Item): string {
	return textOf?.(item) ?? "";
}

function digestIn(item: Item) {
	return item.type === "call" || item.type === "result" ? digestOf(item) : undefined;
}

/** File names and identifiers that an item mentions. */
export function namesIn({ textOf }: Texts, item: Item): Marks {
	const text = textOf?.(item);
	if (text === undefined) return new Set(digestIn(item)?.paths);
	return new Set([...findFileNames(text), ...findIdentifiers(text)]);
}

/** Hashes of an item's runs of four words, or of its lines. */
export function shinglesIn({ textOf }: Texts, item: Item): Marks {
	const text = textOf?.(item);
	return text === undefined ? new Set(digestIn(item)?.lines) : hashShingles(text);
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

/** Shorter outputs are alike by accident; in shingles. */
const FEWEST = 12;

/** The younger output that is most like another one. */
export interface Twin {
	readonly unit: Unit;
	/** Jaccard similarity, above 0 and up to 1. */
	readonly similarity: number;
}

/** For each output that is still sent, the younger one most like it. Two calls for one file may answer different things, so calls do not count. */
export function findTwins({ input, visible }: Pick<Scene, "input" | "visible">): ReadonlyMap<ToolCall, Twin> {
	const units = visible.units
		.filter(({ isWork }) => isWork)
		.toSorted((a, b) => b.call.message - a.call.message);
	const sets = units.map(({ result }) => (result ? shinglesIn(input, result) : new Set<number>()));
	/** Places of the younger outputs by the shingles that they hold. */
	const holders = new Map<string | number, number[]>();
	const twins = new Map<ToolCall, Twin>();
	for (const [place, unit] of units.entries()) {
		const set = sets[place] ?? new Set();
		if (set.size < FEWEST) continue;
		const twin = closest(set);
		if (twin) twins.set(unit.call, twin);
		for (const shingle of set) append(holders, shingle, place);
	}
	return twins;

	function closest(set: ReadonlySet<string | number>): Twin | undefined {
		const common = new Map<number, number>();
		for (const shingle of set) {
			for (const place of holders.get(shingle) ?? []) common.set(place, (common.get(place) ?? 0) + 1);
		}
		let best: Twin | undefined;
		for (const [place, count] of common) {
			const unit = units[place];
			const similarity = count / (set.size + (sets[place]?.size ?? 0) - count);
			if (unit && similarity > (best?.similarity ?? 0)) best = { unit, similarity };
		}
		return best;
	}
}

export type References = ReturnType<typeof findReferences>;

/** A name that more items show than this refers to none of them. */
const MAX_SHOWN = 3;

interface Use {
	readonly request: number;
	readonly count: number;
}

/** Reads what is left of the session once. */
export function findReferences({ input }: Scene) {
	const { graph, view } = input;
	const uses = new Map<ItemId, Use>();
	/** The items that show each name; a call stands for its result. */
	const shownBy = new Map<string | number, Set<ItemId>>();
	const ageOf = requestsSince(graph);
	const isGone = removedBy(graph, view.removed);
	let requests = 0;

	function refer(names: ReadonlySet<string | number>) {
		const meant = new Set<ItemId>();
		for (const name of names) {
			const ids = shownBy.get(name);
			if (ids && ids.size <= MAX_SHOWN) for (const id of ids) meant.add(id);
		}
		for (const id of meant) uses.set(id, { request: requests, count: (uses.get(id)?.count ?? 0) + 1 });
	}

	function read(item: Item) {
		const names = namesIn(input, item);
		if (item.type === "text" || item.type === "call") refer(names);
		if (item.type === "user") return;
		const id = graph.callOf.get(item.id) ?? item.id;
		for (const name of names) {
			const known = shownBy.get(name);
			if (known) known.add(id);
			else shownBy.set(name, new Set([id]));
		}
	}

	for (const { author, items } of graph.messages) {
		if (author === "model") requests += 1;
		for (const item of items) if (!isGone(item)) read(item);
	}
	const usesOf = (candidate: Candidate) => candidate.items.flatMap(({ id }) => uses.get(id) ?? []);
	return {
		/** Requests since a reply last referred to the candidate, or since it came. */
		idle: (candidate: Candidate) =>
			usesOf(candidate).reduce(
				(idle, { request }) => Math.min(idle, requests - request),
				ageOf(candidate.message),
			),
		/** Replies that referred to it. */
		count: (candidate: Candidate) => sum(usesOf(candidate), ({ count }) => count),
	};
}
