import fc from "fast-check";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { createTokenizer, packRanks } from "./token-table.ts";

const packed = createTokenizer(packRanks(ranks));
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const word = fc.oneof(
	fc.lorem({ maxCount: 3 }),
	fc.string({ unit: "binary" }),
	// Byte order marks, lone surrogates and control tokens have paths of their own in the tokenizer.
	fc.constantFrom(
		"\ufeff",
		"\ud83d",
		"\ufffd",
		"<|endoftext|>",
		"\u0000",
		"\r\n/",
		" 中文",
		"\u{1f469}\u200d\u{1f4bb}",
	),
);

test("counts the tokens that gpt-tokenizer counts", () => {
	fc.assert(
		fc.property(fc.array(word, { maxLength: 30 }), (words) => {
			const text = words.join("");
			expect(packed.countTokens(text)).toBe(countTokens(text, AS_TEXT));
		}),
	);
	for (const rank of [0, 255, 256, 100_000, ranks.length - 1]) {
		expect(packed.countTokens(String(ranks[rank]))).toBe(countTokens(String(ranks[rank])));
	}
});
