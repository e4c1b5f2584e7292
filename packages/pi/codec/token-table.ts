/**
 * The tokenizer's vocabulary as one buffer. gpt-tokenizer builds a map of 200,000 strings when it loads, for about .15 s; an
 * installed package looks them up in this table, which `build.ts` writes, and counts the same tokens with the same code.
 */
import { BytePairEncodingCore, type RawBytePairRanks } from "gpt-tokenizer/BytePairEncodingCore";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";

/** More than twice the texts, and a power of two: few look-ups meet the slot of another text. */
const SLOTS = 2 ** 19;

/** Packs the ranks: slots with the rank + 1 of a text, starts of the texts, then all texts, and tokens of single bytes as JSON. */
export function packRanks(ranks: RawBytePairRanks): Buffer {
	const texts = Array.from(ranks, (token) => (typeof token === "string" ? token : ""));
	const slots = new Int32Array(SLOTS);
	texts.forEach((text, rank) => {
		if (text === "") return;
		let slot = hash(text);
		while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
		slots[slot] = rank + 1;
	});
	const bytes = ranks.flatMap((token, rank) => (typeof token === "object" ? [[token, rank] as const] : []));
	bytes.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	let end = 0;
	const starts = [0, ...texts.map((text) => (end += text.length))];
	const numbers = Int32Array.from([texts.length, ...slots, ...starts]);
	const text = texts.join("") + JSON.stringify(bytes);
	return Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(text, "utf16le")]);
}

/** The two functions of gpt-tokenizer's `encoding/o200k_base` that this project calls. */
export function createTokenizer(table: Buffer) {
	const numbers = new Int32Array(table.buffer, table.byteOffset, Math.floor(table.byteLength / 4));
	const [tokens = 0] = numbers;
	const slots = numbers.subarray(1, 1 + SLOTS);
	const starts = numbers.subarray(1 + SLOTS, 2 + SLOTS + tokens);
	const texts = table.toString("utf16le", 4 * (2 + SLOTS + tokens));

	function get(text: string): number | undefined {
		for (let slot = hash(text); ; slot = (slot + 1) % SLOTS) {
			const rank = (slots[slot] ?? 0) - 1;
			if (rank < 0) return undefined;
			const start = starts[rank] ?? 0;
			if ((starts[rank + 1] ?? 0) - start === text.length && texts.startsWith(text, start)) return rank;
		}
	}
	const core = new BytePairEncodingCore({
		bytePairRankDecoder: [],
		tokenSplitRegex: O200K_TOKEN_SPLIT_REGEX,
	});
	Object.assign(core, {
		bytePairStringRankEncoder: { get },
		bytePairNonUtfSortedEncoder: JSON.parse(texts.slice(starts[tokens])),
	});
	return {
		countTokens: (text: string) => core.countNative(text),
		setMergeCacheSize: (entries: number) => core.setMergeCacheSize(entries),
	};
}

function hash(text: string): number {
	let value = 0;
	for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
	return (value ^ (value >>> 15)) & (SLOTS - 1);
}
